export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** The script of each shell. It asks the program itself, so it fits every version. */
export const scripts: Record<Shell, string> = {
  bash: `# Completion of uptime for bash. Add to ~/.bashrc: eval "$(uptime completion bash)"
_uptime_complete() {
  local line word cur joins next lead quote
  local -a words=()
  COMPREPLY=()
  # Bash also splits words at ":". A name with a colon is one word.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    joins=$next next=
    if [ -n "$word" ] && [ -z "\${word//:/}" ]; then joins=1 next=1; fi
    if [ -z "$word" ] && [[ "$COMP_LINE" == *[[:space:]] ]]; then joins=; fi
    if [ -n "$joins" ] && [ "\${#words[@]}" -gt 0 ]; then words[\${#words[@]}-1]+=$word; else words+=("$word"); fi
  done
  cur=\${words[\${#words[@]}-1]}
  case $cur in [\\"\\']*) quote=\${cur:0:1} cur=\${cur#?} ;; esac
  cur=\${cur//\\\\/}
  words[\${#words[@]}-1]=$cur
  if [ -z "$quote" ] && [[ "$COMP_WORDBREAKS" == *:* ]]; then lead=\${cur%"\${cur##*:}"}; fi
  while IFS= read -r line; do
    if [ "$line" = ":files" ]; then
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
      compopt -o filenames 2>/dev/null
      return
    fi
    line=\${line#"$lead"}
    # Within quotation marks, some characters would still end the word or run a command.
    case $quote in
      '"') line=\${line//\\\\/\\\\\\\\} line=\${line//\\"/\\\\\\"} line=\${line//\\$/\\\\\\$} line=\${line//\\\`/\\\\\\\`} ;;
      "'") line=\${line//\\'/\\'\\\\\\'\\'} ;;
      *) printf -v line '%q' "$line" ;;
    esac
    COMPREPLY+=("$line")
  done < <("\${COMP_WORDS[0]}" --complete "\${words[@]}" 2>/dev/null </dev/null)
}
complete -F _uptime_complete uptime uptimectl
`,
  zsh: `#compdef uptime uptimectl
# Completion of uptime for zsh. Add to ~/.zshrc, after compinit: eval "$(uptime completion zsh)"
_uptime_complete() {
  local -a found
  found=("\${(@f)$("\${words[1]}" --complete "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  if [[ "\${found[1]}" == ":files" ]]; then
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
        __fish_complete_path (commandline -ct)
    else if test -n "$found[1]"
        printf '%s\\n' $found
    end
end
complete -c uptime -f -a '(__uptime_complete)'
complete -c uptimectl -f -a '(__uptime_complete)'
`,
};
