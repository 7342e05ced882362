# Two commands are enough: `make lab` opens the course, `make check` looks whether this computer is ready.
# Every target makes .venv itself from constraints.txt; those of this file add the extra `test`, 1.2 GB, when it is first
# needed. `make help` lists the targets.

EXTRAS := lab,app
TOOLS  := .venv/.test
NB     ?=
WASM   := dist/wasm/kernels.wasm

include tools/lab.mk

# Compiled modules are kept even where the environment says otherwise: the tests start some eighty Pythons.
export PYTHONDONTWRITEBYTECODE :=

# Files go whole to the next free processor, in the order in which they are named; each uses one thread.
PYTEST := OMP_NUM_THREADS=1 $(PYTHON) -m pytest -q -n auto --dist loadfile

# Of each package those of its own, and of all that is public.
PUBLIC := tests/test_bad_input.py tests/test_silent_acceptance.py tests/test_imports.py tests/test_worked_examples.py \
          tests/test_annotations.py tests/test_docstring_examples.py
PACKAGE_TESTS := $(wildcard tests/course_*) $(PUBLIC)

# What `make test` runs beside the lectures, the longest files first; `make test-more` runs all other tests, wherever
# they stand.
COURSE := tests/doors/test_newcomer.py tests/doors/test_student.py tests/lectures tests/homework tests/course_lib \
          tests/course_widgets tests/course_lessons $(PUBLIC) tests/test_repository.py tests/benchmarks/test_planted.py

# Of commands about one homework, by its number: HW=03.
HOMEWORK = $(if $(HW),--homework $(HW))

.PHONY: test test-more test-fast test-lecture test-long doors test-oldest test-python run claims bench release collect grade mark feedback likeness final exams slides \
        handouts wasm site test-site listening lock clean uv
test: $(TOOLS) ## the course, at each step: style, library, homework, all lectures, a newcomer's and a student's door
	@$(PYTHON) -m tools.chromium
	$(PYTEST) --nbval --no-loadscope-reorder lectures $(COURSE)

test-more: $(TOOLS) ## what stands on the course: grading, exams, project, site, slides, lectures in a browser, the other doors
	@$(PYTHON) -m tools.chromium
	$(PYTEST) --nbval --no-loadscope-reorder $(addprefix --ignore=,$(COURSE)) teaching/project/example.ipynb tests

test-fast: $(TOOLS) ## the library's tests only
	$(PYTEST) $(PACKAGE_TESTS)

test-lecture: $(TOOLS) ## what a lecture must be, without running it (NB=lectures/NN_name.ipynb for one of them)
	$(PYTHON) -m pytest -q -n 0 tests/lectures/test_contract.py $(if $(NB),-k $(basename $(notdir $(NB))))

test-long: $(TOOLS) ## what takes minutes and is left out of both: it counts worlds
	$(PYTEST) --dist load -m long tests

doors: $(TOOLS) ## what each person gets first, run as they get it
	@$(PYTHON) -m tools.chromium
	$(PYTEST) tests/doors

test-oldest: uv ## the library's tests with the oldest Python and packages that pyproject.toml allows (needs uv)
	$(call library_tests,.venv-oldest,3.11,--resolution lowest-direct)

test-python: uv ## the library's tests with another Python: PY=python3.13 (needs uv)
	$(call library_tests,.venv-$(notdir $(PY)),$(PY),-c constraints.txt)

# $(1) is a fresh environment for $(2), a Python, with packages as $(3) says. Its compiled code is kept in it: two versions
# of Numba would throw away each other's.
define library_tests
	uv venv -q --clear --python $(2) $(1)
	uv pip install -q --python $(1)/bin/python $(3) -e '.[test]'
	NUMBA_CACHE_DIR=$(1)/numba OMP_NUM_THREADS=1 $(1)/bin/python -m pytest -q -n auto --dist loadfile $(PACKAGE_TESTS)
endef

run: $(TOOLS) ## execute the notebooks in place as they are committed (NB=path for some of them)
	$(PYTHON) -m tools.notebooks run $(NB)

claims: $(TOOLS) ## compute the stored results that lectures show (NAME=asking for one; ARGS=--shake: do they hold on other seeds?)
	$(PYTHON) -m data.claims.make $(NAME) $(ARGS)

slides: $(TOOLS) ## write the lectures' slides, as committed, to dist/slides/NN.html (NB=path for some of them; ARGS=--before)
	$(PYTHON) -m tools.slides $(ARGS) $(NB)

handouts: $(TOOLS) ## and print them to dist/slides/NN.pdf (ARGS=--before: for before class, nothing explained; needs a Chromium)
	$(PYTHON) -m tools.slides --handouts $(ARGS) $(NB)

wasm: $(WASM) ## compile the kernels that lectures study for pages, which compute with them (before `make site`)

$(WASM): .venv/.site tools/site/wasm.py tools/site/cepstra_kernel.py $(wildcard course_*/*/_*_kernels.py)
	$(PYTHON) -m tools.site.wasm

site: $(TOOLS) ## write the course as pages that play to dist/site, for any file server (SERVE=8000 serves them here)
	$(PYTHON) -m tools.site $(ARGS)
	$(if $(SERVE),cd dist/site && ../../$(PYTHON) -m http.server -b localhost $(SERVE))

test-site: site ## play all explorers of the pages, and open all pages, in a browser
	@$(PYTHON) -m tools.chromium
	$(PYTEST) --dist load -m "long or not long" tests/browser/test_site.py tests/site/test_site.py

listening: $(READY) ## write a listening test for a class as one file to dist/listening (STUDY=my.toml for clips of your own)
	$(PYTHON) -m tools.listening $(STUDY)

bench: .venv/.bench ## course_lib beside its peers, and the papers' tables beside ours
	$(PYTHON) -m benchmarks
	$(PYTHON) -m benchmarks.papers

release: $(TOOLS) ## make and check exercises/ and the students' bundle from solutions/ (HW=03: it alone changed)
	$(PYTHON) -m tools.homework.release $(HW)

collect: $(TOOLS) ## put what a platform has collected to where it is graded (FROM=~/Downloads/HW1.zip; a folder, or saved mails)
	@$(PYTHON) -m tools.homework.collect --from "$(FROM)" $(HOMEWORK) $(ARGS)

grade: $(TOOLS) ## grade what students handed in, each in a box (HW=03 for one; ARGS="--status" shows who is missing)
	$(PYTHON) -m tools.homework.grade $(HOMEWORK) $(ARGS)

mark: $(TOOLS) ## mark written answers by hand in a page of this machine (HW=03; ARGS sets points of any task: see teaching/grading.md)
	$(PYTHON) -m tools.homework.marking $(HOMEWORK) $(ARGS)

feedback: $(TOOLS) ## write a page for each student, zips of them for Moodle and Canvas, and a summary (HW=03)
	$(PYTHON) -m tools.homework.feedback $(HOMEWORK) $(ARGS)

likeness: $(TOOLS) ## list who handed in what is alike beyond the class's noise, texts side by side (HW=03; ARGS="--submitted DIR")
	@$(PYTHON) -m tools.homework.likeness $(HOMEWORK) $(ARGS)

final: $(TOOLS) ## write the final table, how each number came about, and an audit trail, by the rules of term.toml (CHECK=1 only reads these)
	@$(PYTHON) -m tools.homework.final $(if $(CHECK),--check) $(ARGS)

exams: $(TOOLS) ## write both exams to dist/exams, with the teacher's copies (ARGS="--sheet 7" for other numbers)
	$(PYTHON) -m tools.exams $(ARGS)

uv:
	@command -v uv >/dev/null || { echo "This needs uv: install it with 'pip install uv'." >&2; exit 1; }

lock: uv ## renew constraints.txt from pyproject.toml (needs uv)
	uv pip compile -q --universal --fork-strategy fewest --python-version 3.11 --upgrade --no-emit-index-url \
	    --no-emit-find-links --no-annotate --no-header --extra lab --extra app --extra test --extra bench --extra cluster --extra data --extra site \
	    pyproject.toml -o constraints.txt

clean: ## remove .venv and everything that was built
	rm -rf .venv .venv-* dist build tests/browser/screenshots .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

.venv/.bench .venv/.site: $(TOOLS)
$(TOOLS) .venv/.bench .venv/.site: $(READY)
	@sh tools/make_venv.sh "$(PY)" "$(CURDIR)" "$(subst .,,$(@F))" $@
