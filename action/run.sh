#!/usr/bin/env bash
# The GitHub Action: installs the command from a release, checks the datasets once, and writes the outputs of the step. All inputs
# come from variables, see action.yml. Bash 3.2, which macOS has, runs it too.
set -euo pipefail

# The exit status of `evalcheck check` for findings; what is above it was not checked.
readonly FINDINGS=1

# A value as a workflow command takes it.
escaped() {
  local text=$1
  text=${text//'%'/%25}
  text=${text//$'\r'/%0D}
  printf '%s' "${text//$'\n'/%0A}"
}

# Ends the step with a message. Functions whose output is taken may call it.
stop() {
  printf '::error title=evalcheck::%s\n' "$(escaped "$1")" >&2
  exit 2
}

# Writes an output of the step. No value can contain the delimiter, which nobody knows beforehand.
output() {
  local delimiter
  delimiter="evalcheck-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
  printf '%s<<%s\n%s\n%s\n' "$1" "$delimiter" "$2" "$delimiter" >>"$GITHUB_OUTPUT"
}

# A path as programs of the system take it: on Windows, that of bash differs.
native() {
  if [[ $RUNNER_OS == Windows ]]; then cygpath -m -- "$1"; else printf '%s' "$1"; fi
}

# A path or a pattern of the inputs, which may be relative to a working directory, as seen from the workspace. Places are shown relative to
# the workspace, and so the command runs there.
from_workspace() {
  local folder=${INPUT_WORKING_DIRECTORY%/}
  case $1 in
    /* | [A-Za-z]:*) printf '%s' "$1" ;;
    . | ./) printf '%s' "${folder:-.}" ;;
    *) printf '%s' "${folder:+$folder/}${1#./}" ;;
  esac
}

# True for `true`, false for `false`.
is_true() {
  case $2 in
    true) return 0 ;;
    false) return 1 ;;
    *) stop "The input $1 is \"$2\". Write true or false." ;;
  esac
}

# The version: that of the input, or that of the action's own manifest.
version() {
  local version=${INPUT_VERSION#v}
  if [[ -z $version ]]; then
    version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$GITHUB_ACTION_PATH/Cargo.toml")
  fi
  [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] || stop "The version \"$version\" is not one such as 1.2.0."
  printf '%s' "$version"
}

# The target whose archive runs on this runner. On Linux the program needs no library of the system.
target() {
  local arch
  case $RUNNER_ARCH in
    X64) arch=x86_64 ;;
    ARM64) arch=aarch64 ;;
    *) stop "There is no release for the architecture \"$RUNNER_ARCH\". There are releases for X64 and ARM64." ;;
  esac
  case $RUNNER_OS in
    Linux) printf '%s' "$arch-unknown-linux-musl" ;;
    macOS) printf '%s' "$arch-apple-darwin" ;;
    Windows) printf '%s' "$arch-pc-windows-msvc" ;;
    *) stop "There is no release for the system \"$RUNNER_OS\". There are releases for Linux, macOS and Windows." ;;
  esac
}

# Downloads a file of a release into the current folder.
download() {
  local protocols='=https'
  # A mirror may be on plain HTTP, if it is named as such.
  [[ $1 == http://* ]] && protocols='=http,https'
  curl --fail --silent --show-error --location --retry 3 --proto "$protocols" --output "$2" "$1/$2" ||
    stop "Cannot download $1/$2."
}

# The SHA-256 of a file.
sha256() {
  if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d ' ' -f 1
}

# Unpacks the archive in the current folder. The `tar` of Windows unpacks ZIPs, that of its bash does not.
unpack() {
  if [[ $RUNNER_OS == Windows ]]; then
    "$(cygpath -u -- "$SYSTEMROOT")/System32/tar.exe" -xf "$1"
  else
    tar -xzf "$1"
  fi
}

# Installs the command of a version for a target into a folder. Nothing is unpacked before its checksum is known to be right.
install_command() {
  local version=$1 target=$2 folder=$3 archive sum name expected=''
  local base=${INPUT_BASE_URL:-https://github.com/$ACTION_REPOSITORY/releases/download}
  archive="evalcheck-$version-$target.tar.gz"
  [[ $RUNNER_OS == Windows ]] && archive="evalcheck-$version-$target.zip"
  mkdir -p "$folder"
  cd "$folder"
  download "${base%/}/v$version" SHA256SUMS
  download "${base%/}/v$version" "$archive"
  while read -r sum name; do
    [[ $name == "$archive" ]] && expected=$sum
  done <SHA256SUMS
  [[ -n $expected ]] || stop "SHA256SUMS of the release does not name $archive."
  [[ $(sha256 "$archive") == "$expected" ]] || stop "The checksum of $archive is not the one in SHA256SUMS. Nothing was unpacked."
  unpack "$archive"
  cd "$OLDPWD"
}

# The number of errors in a report, and whether all its files are valid: two words. Nothing where there is no `jq`, which the runners of
# GitHub have.
summed() {
  command -v jq >/dev/null || return 0
  jq -nr 'reduce (inputs | .report // empty) as $report ([0, true];
    [.[0] + $report.counts.errors, .[1] and $report.valid]) | "\(.[0]) \(.[1])"' <"$1" | tr -d '\r'
}

main() {
  local version target folder program results report sarif line status=0 errors valid fail=true
  is_true fail "$INPUT_FAIL" || fail=false
  version=$(version)
  target=$(target)
  folder="$RUNNER_TEMP/evalcheck-$version"
  program="$folder/evalcheck-$version-$target/evalcheck"
  [[ $RUNNER_OS == Windows ]] && program="$program.exe"
  # A step before may have installed it.
  if [[ ! -x $program ]]; then install_command "$version" "$target" "$folder"; fi

  results=$(mktemp -d "$RUNNER_TEMP/evalcheck-XXXXXX")
  report="$results/report.jsonl"
  sarif="$results/report.sarif"
  if [[ -n $INPUT_SARIF_FILE ]]; then
    sarif=$(from_workspace "$INPUT_SARIF_FILE")
    mkdir -p "$(dirname "$sarif")"
  fi

  # A link in a branch of somebody else could lead to any file of the runner.
  local command=("$program" check --no-follow --output github --output-file "jsonl=$(native "$report")" --output-file "sarif=$(native "$sarif")")
  [[ -z $INPUT_FORMAT ]] || command+=("--format=$INPUT_FORMAT")
  [[ -z $INPUT_FORMAT_VERSION ]] || command+=("--format-version=$INPUT_FORMAT_VERSION")
  [[ -z $INPUT_SELECT ]] || command+=("--select=$INPUT_SELECT")
  [[ -z $INPUT_IGNORE ]] || command+=("--ignore=$INPUT_IGNORE")
  [[ -z $INPUT_FAIL_ON ]] || command+=("--fail-on=$INPUT_FAIL_ON")
  [[ -z $INPUT_CONFIG ]] || command+=("--config=$(from_workspace "$INPUT_CONFIG")")
  [[ -z $INPUT_BASELINE ]] || command+=("--baseline=$(from_workspace "$INPUT_BASELINE")")
  while IFS= read -r line; do
    [[ -z $line ]] || command+=("--schema=$(from_workspace "$line")")
  done <<<"$INPUT_SCHEMA"
  if is_true strict "$INPUT_STRICT"; then command+=(--strict); fi
  while IFS= read -r line; do
    [[ -z $line ]] || command+=("$line")
  done <<<"$INPUT_ARGS"
  command+=(--)
  while IFS= read -r line; do
    [[ -z $line ]] || command+=("$(from_workspace "$line")")
  done <<<"$INPUT_FILES"

  "${command[@]}" || status=$?
  [[ -f $report || $status -gt $FINDINGS ]] || stop "evalcheck has written no report."

  read -r errors valid <<<"$([[ -f $report ]] && summed "$report")"
  [[ $status -le $FINDINGS ]] || valid=false
  command -v jq >/dev/null || echo "::notice title=evalcheck::There is no jq on this runner, and the output errors is empty."
  output valid "${valid:-$([[ $status -eq 0 ]] && echo true || echo false)}"
  output errors "$errors"
  output report "$(native "$report")"
  output sarif "$(native "$sarif")"
  if [[ $status -eq $FINDINGS && $fail == false ]]; then status=0; fi
  exit "$status"
}

main
