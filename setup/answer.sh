# SPDX-License-Identifier: BSD-2-Clause
# Read by ./mcpi: answers what wants no tools, and ends; installs nothing. setup/help/ has what
# each command prints for -h: tools/mcpi/cli/help_pages.py makes the pages, a test compares them.

help=$root/setup/help set_up=
[ ! -e "$MCPI_ENV/ready-exec" ] || set_up=yes

# The file of a page: a command with commands of its own has a folder, with its own page in it.
file_of() { if [ -e "$help/$1.txt" ]; then echo "$help/$1.txt"; else echo "$help/$1/$1.txt"; fi; }

# Whole pages. Where the tools are there, a terminal gets the page in its width and with colours.
show() {
  if [ ! "$set_up" ] || { [ ! -t 1 ] && [ -z "${COLUMNS:-}" ]; }; then
    cat "$(file_of "$1")"
    exit 0
  fi
}

version() {
  echo "mCPI $(sed -n 's/^version = "\(.*\)"$/\1/p' "$root/pyproject.toml")"
  if commit=$(git -C "$root" rev-parse --verify HEAD 2>/dev/null); then
    [ -z "$(git -C "$root" status --porcelain 2>/dev/null)" ] || commit="$commit, and changes"
  else commit="unknown: no repository of git, or no git"; fi
  echo "commit $commit"
  compiler=$(sed -n 's/^\(gcc-12-alpha-linux-gnu [^ ]*\) .*/\1/p' \
    "$MCPI_ENV/debian/packages.txt" 2>/dev/null || :)
  echo "compiler ${compiler:-not installed yet: it comes with the first run}"
  exit 0
}

no_command() {
  names=
  for file in "$help"/*; do
    name=$(basename "$file" .txt)
    [ "$name" = mcpi ] || names="$names $name"
  done
  refuse "there is no command $1. There are:$names"
}

# The page of the command: of its second word too, if the first has commands of its own.
page=${1:-mcpi}
case $page in
  -h|--help) show mcpi; page=mcpi;;
  --version) version;;
  mcpi) [ $# = 0 ] || no_command mcpi; show mcpi;;
  -*) refuse "there is no option $page. Type: ./mcpi --help";;
  *)
    [ -e "$(file_of "$page")" ] || no_command "$page"
    case ${2:-} in ''|-*|*/*) ;; *) if [ -e "$help/$page/$2.txt" ]; then page=$page/$2; fi;; esac
    if [ "$page" = "$1" ] && [ ! "$set_up" ] && [ -d "$help/$1" ]; then
      case ${2:-} in
        '') show "$page";;
        -h|--help) ;;
        *) refuse "./mcpi $1 has no command $2. Type: ./mcpi $1 --help";;
      esac
    fi
    # What follows python or notebook is for them.
    case $page in python|notebook) words=${2:-};; *) words="$*";; esac
    case " $words " in
      *" -h "*|*" --help "*) if [ -e "$(file_of "$page")" ]; then show "$page"; fi;;
    esac
    # Before anything is fetched for a command, its options are known to be some.
    if [ ! "$set_up" ]; then
      case $page in python|notebook) set_up=unknown;; esac
      for word in "$@"; do
        case $word in
          --) break;;
          --?*)
            [ "$set_up" ] || grep -qF -- " ${word%%=*} " "$(file_of "$page")" ||
              refuse "./mcpi $page has no option ${word%%=*}. Type: ./mcpi $page --help";;
        esac
      done
    fi;;
esac
