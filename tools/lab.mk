# What the Makefiles of teachers and of students share: the environment, the lab, the app. EXTRAS are the extras of
# pyproject.toml that .venv gets. The environment is made anew when constraints.txt or pyproject.toml change.

PY   ?= python3
PORT ?= 8888
HOST ?= localhost
HW   ?=

READY  := .venv/.ready
PYTHON := .venv/bin/python
FIRST  := lectures/00_start_here.ipynb

# .venv holds absolute paths. One that came along with a copied folder, or whose Python is gone, is made anew.
ifneq ($(shell $(PYTHON) -c "" 2>/dev/null && cat .venv/.home 2>/dev/null),$(CURDIR))
.PHONY: $(READY)
endif

LAB := --LabApp.default_url=/lab/tree/$(FIRST) --ServerApp.root_dir="$(CURDIR)" --port=$(PORT) --ip=$(HOST) \
       --LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate --log-level=WARN \
       --LabApp.custom_css=True --ServerApp.tornado_settings="static_custom_path=$(CURDIR)/lectures/style"
APP := --port=$(PORT) --Voila.ip=$(HOST)
ifeq ($(shell id -u),0)
LAB += --allow-root
endif
ifeq ($(shell uname -s)$(DISPLAY)$(WAYLAND_DISPLAY),Linux)
LAB += --no-browser
APP += --no-browser
endif

.PHONY: lab check app help
.DEFAULT_GOAL := help

lab: $(READY) ## open the course in JupyterLab (PORT=8888, HOST=localhost)
	$(PYTHON) -m jupyterlab $(LAB)

check: $(READY) ## is this computer ready? HW=03: is homework 03 ready to be handed in?
	@$(PYTHON) tools/check.py $(HW)

app: $(READY) ## open the personaliser: find your equaliser setting (PORT=8888, HOST=localhost)
	cd apps && JUPYTER_PATH="$(CURDIR)/apps:$$JUPYTER_PATH" ../$(PYTHON) serve.py personaliser.ipynb $(APP)

help: ## list all commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / && !said[$$1]++ { printf "  make %-12s %s\n", $$1, $$2 }' tools/lab.mk $(MAKEFILE_LIST)

$(READY): constraints.txt pyproject.toml
	@sh tools/make_venv.sh "$(PY)" "$(CURDIR)" "$(EXTRAS)" $@
