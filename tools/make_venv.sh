#!/bin/sh
# Makes .venv from constraints.txt, or adds extras to it:  sh tools/make_venv.sh PYTHON FOLDER EXTRAS STAMP.
# Called by make, for which the file STAMP says that this was done.
set -eu
python=$1
folder=$2
extras=$3
stamp=$4

stop() {
    echo "$*" >&2
    exit 1
}

command -v "$python" >/dev/null || stop "No $python here. Install Python 3.11 or newer, or name one: make lab PY=/path/to/python3"
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    stop "$python is Python $version; the course needs 3.11 or newer. Name a newer one: make lab PY=python3.12"

if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "Installing the venv module of Python $version …"
        { apt-get update -qq && apt-get install -y -qq "python$version-venv"; } >/dev/null 2>&1 || true
    fi
    "$python" -c 'import ensurepip, venv' 2>/dev/null ||
        stop "$python has no venv module. On Debian or Ubuntu: sudo apt install python3-venv"
fi

if [ "$(cat .venv/.home 2>/dev/null)" != "$folder" ] || ! .venv/bin/python -c '' 2>/dev/null; then
    echo "Making .venv (once; about two minutes with its packages) …"
    "$python" -m venv --clear .venv
    printf '%s\n' "$folder" >.venv/.home
fi
echo "Installing packages ($extras) …"
.venv/bin/python -m pip install -q --disable-pip-version-check --no-compile -c constraints.txt -e ".[$extras]" \
    >.venv/pip.log 2>&1 || {
    errors=$(grep -i error .venv/pip.log | tail -n 8)
    stop "${errors:-$(tail -n 8 .venv/pip.log)}

The packages could not be installed. Above are the last errors of pip; .venv/pip.log has all of its output.
If pip could not reach an address: run the same command again when it can.
If pip could not find or build a package for Python $version: use another Python, for example
    make clean && make lab PY=python3.12"
}

# Kernels say "Python 3" and no more: a lecture written with another one would look changed as soon as it opens.
mkdir -p .venv/etc/ipython
echo "c.IPKernelApp.exec_lines = ['get_ipython().kernel.language_info[\"version\"] = \"3\"']" \
    >.venv/etc/ipython/ipython_kernel_config.py

# JupyterLab's defaults in this environment: no pop-up that asks about news, no menus for making assignments.
mkdir -p .venv/share/jupyter/lab/settings .venv/etc/jupyter/labconfig
echo '{"disabledExtensions": {"@jupyter/nbgrader": true}}' >.venv/etc/jupyter/labconfig/page_config.json
cat >.venv/share/jupyter/lab/settings/overrides.json <<'SETTINGS'
{"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": false}}
SETTINGS
touch "$stamp"
