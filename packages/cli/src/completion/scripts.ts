export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/**
 * The completion script for each shell. A script asks the installed program for candidates, so the same script works
 * with every version.
 */
export const scripts: Record<Shell, string> = {
  bash: `# Completion of uptime for bash. Add to ~/.bashrc: eval "$(uptime completion bash)"
# Sets REPLY to a word without its quotation marks and backslashes. Sets quote to the quotation mark that is still open.
_uptime_unquote() {
  local char rest=$1
  REPLY= quote=
  while [ -n "$rest" ]; do
    char=\${rest:0:1} rest=\${rest:1}
    case $quote$char in
      "''" | '""') quote= ;;
      [\\"\\']) quote=$char ;;
      \\\\) REPLY+=\${rest:0:1} rest=\${rest:1} ;;
      '"\\') case $rest in [\\\\\\"\\$\\\`]*) char=\${rest:0:1} rest=\${rest:1} ;; esac; REPLY+=$char ;;
      *) REPLY+=$char ;;
    esac
  done
}
_uptime_complete() {
  local REPLY line word raw cur lead path quote rest=$COMP_LINE
  local -a words=()
  COMPREPLY=()
  # Bash also splits words at "=", ":" and "@". Parts without a space between them are one word.
  for word in "\${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    if [ "\${#words[@]}" -eq 0 ] || [[ $rest == [[:space:]]* ]]; then words+=("$word") raw=$word
    else words[\${#words[@]}-1]+=$word raw+=$word; fi
    rest=\${rest#*"$word"}
  done
  # Bash replaces only the last part of the word, which is $2. So candidates leave out the parts before it.
  _uptime_unquote "\${raw%"$2"}"
  lead=$REPLY
  _uptime_unquote "$raw"
  cur=$REPLY
  words[\${#words[@]}-1]=$cur
  while IFS= read -r line; do
    if [ "$line" = ":files" ]; then
      path=$cur
      if [[ $cur == --*=* ]]; then path=\${cur#*=} lead=\${lead#*=}; fi
      while IFS= read -r line; do COMPREPLY+=("\${line#"$lead"}"); done < <(compgen -f -- "$path")
      compopt -o filenames 2>/dev/null
      return
    fi
    line=\${line#"$lead"}
    # Within quotation marks, some characters would still end the word or run a command.
    case $quote in
      '"') line=\${line//\\\\/\\\\\\\\} line=\${line//\\"/\\\\\\"} line=\${line//\\$/\\\\\\$} line=\${line//\\\`/\\\\\\\`} line=\${line//\\!/\\"\\'!\\'\\"} ;;
      "'") line=\${line//\\'/\\'\\\\\\'\\'} ;;
      *) printf -v line '%q' "$line" ;;
    esac
    COMPREPLY+=("$line")
  done < <("\${COMP_WORDS[0]}" --complete "\${words[@]:1}" 2>/dev/null </dev/null)
}
complete -F _uptime_complete uptime uptimectl
`,
  zsh: `#compdef uptime uptimectl
# Completion of uptime for zsh. Add to ~/.zshrc, after compinit: eval "$(uptime completion zsh)"
_uptime_complete() {
  local -a found
  found=("\${(@f)$("\${words[1]}" --complete "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  if [[ "\${found[1]}" == ":files" ]]; then
    compset -P '--*='
    _files
  elif [[ -n "\${found[1]}" ]]; then
    compadd -- "\${found[@]}"
  fi
}
compdef _uptime_complete uptime uptimectl
`,
  fish: `# Completion of uptime for fish. Write it to ~/.config/fish/completions/uptime.fish
function __uptime_complete
    set -l words (commandline -opc) (commandline -ct | string unescape)
    test (count $words) -gt (count (commandline -opc)); or set -a words ''
    set -l found ($words[1] --complete $words[2..-1] 2>/dev/null </dev/null)
    if test "$found[1]" = ":files"
        set -l lead (string match -r '^--[^=]*=' -- (commandline -ct))
        for path in (__fish_complete_path (string replace -r '^--[^=]*=' '' -- (commandline -ct)))
            echo -- "$lead$path"
        end
    else if test -n "$found[1]"
        printf '%s\\n' $found
    end
end
complete -c uptime -f -a '(__uptime_complete)'
complete -c uptimectl -f -a '(__uptime_complete)'
`,
};
