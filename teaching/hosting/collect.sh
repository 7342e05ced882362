#!/bin/sh
# Copies a homework out of the homes of The Littlest JupyterHub to where `make grade` looks for it:
#
#     sh teaching/hosting/collect.sh 03_mixtures           into submitted/STUDENT/03_mixtures/
#
# Each file is read with its owner's rights (sudo), so that a link in a home leads nowhere that the student may not go, and
# no more than 50 MB of it. timestamp.txt says when this version was first collected: run it when the homework is due, from
# cron if you like. Students who have no such file are named. HOMES is where the homes are, COURSE the folder in them.
set -eu
homework=${1:?"which homework? As in: sh teaching/hosting/collect.sh 03_mixtures"}
homes=${HOMES:-/home}
course=${COURSE:-course}

for home in "$homes"/jupyter-*; do
    [ -d "$home" ] || continue
    user=${home##*/}
    student=${user#jupyter-}
    folder=submitted/$student/$homework
    mkdir -p "$folder"
    notebook=$home/$course/exercises/$homework/$homework.ipynb
    if sudo -n -u "$user" head -c 50000000 "$notebook" >"$folder/new" 2>/dev/null; then
        if ! cmp -s "$folder/new" "$folder/$homework.ipynb"; then
            mv "$folder/new" "$folder/$homework.ipynb"
            date -u '+%Y-%m-%d %H:%M:%S UTC' >"$folder/timestamp.txt"
        fi
        rm -f "$folder/new"
    else
        rm -f "$folder/new"
        rmdir "$folder" 2>/dev/null || true
        rmdir "submitted/$student" 2>/dev/null || true
        echo "$student: nothing collected"
    fi
done
