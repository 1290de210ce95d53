import { shellWord } from '../shell-word.ts';

export interface InstallScript {
  siteUrl: string;
  version: string;
  /** The CLI as one file, which needs Node. */
  script: { sha256: string };
  /** The executable, which does not need Node; null if the daemon does not run from an executable. */
  executable: { sha256: string; platform: string } | null;
}

/**
 * Returns a POSIX shell script that downloads the CLI from this daemon, compares the checksum, and installs the CLI.
 * All commands are in functions that the last line calls. So if the download of the script ended early, the script does
 * nothing.
 */
export function installScript({ siteUrl, version, script, executable }: InstallScript): string {
  return `#!/bin/sh
# Installs the uptime command line ${version} from ${siteUrl.replace(/\s/g, '')}.
#
#   curl -fsS ${siteUrl.replace(/\s/g, '')}/install.sh | sh
#
# UPTIME_INSTALL_DIR is the folder of the installed program, ~/.local/bin by default.
set -eu

site=${shellWord(siteUrl)}

install_uptime() {
  folder=\${UPTIME_INSTALL_DIR:-\${HOME:?Set UPTIME_INSTALL_DIR or HOME.}/.local/bin}
  mkdir -p "$folder"
  work=$(mktemp "$folder/.uptime-XXXXXX")
  trap 'rm -f "$work"' EXIT
  trap 'exit 1' INT TERM
  choose
  download "$site$path" > "$work"
  found=$(checksum "$work")
  if [ "$found" != "$sum" ]; then
    fail "The checksum of $site$path differs from the expected one. The download is incomplete or was changed on its way: run the command again."
  fi
  chmod 755 "$work"
  "$work" --version > /dev/null || fail "The command line does not run here. $needs, and run this again."
  mv -f "$work" "$folder/uptime"
  echo "Installed uptime ${version} as $folder/uptime."
  case ":\${PATH:-}:" in
    *":$folder:"*) ;;
    *) echo "That folder is not in your PATH. Add it: export PATH=\\"$folder:\\$PATH\\"" ;;
  esac
  echo "Next: export UPTIME_SITE_URL=$site; uptime login"
}

choose() {
${executable ? choiceOfExecutable(executable) : ''}  path=/uptime.mjs
  sum=${script.sha256}
  needs='Install a Node that it supports from https://nodejs.org'
}

${shellFunctions}install_uptime
`;
}

/** The functions of the script that are the same for every daemon. */
const shellFunctions = `download() {
  if command -v curl > /dev/null 2>&1; then
    curl -fsS "$1" || fail "$1 could not be downloaded."
  elif command -v wget > /dev/null 2>&1; then
    wget -qO- "$1" || fail "$1 could not be downloaded."
  else
    fail 'Neither curl nor wget is installed. Install one of them.'
  fi
}

checksum() {
  if command -v sha256sum > /dev/null 2>&1; then
    sha256sum "$1" | cut -d ' ' -f 1
  elif command -v shasum > /dev/null 2>&1; then
    shasum -a 256 "$1" | cut -d ' ' -f 1
  else
    fail 'Neither sha256sum nor shasum is installed. Install one of them.'
  fi
}

fail() {
  echo "$1" >&2
  exit 1
}

`;

const choiceOfExecutable = ({ sha256, platform }: NonNullable<InstallScript['executable']>): string => `
  if [ "$(uname -sm)" = "${platform}" ]; then
    path=/uptime
    sum=${sha256}
    needs="Choose another folder with UPTIME_INSTALL_DIR if programs may not run in $folder"
    return
  fi
`;
