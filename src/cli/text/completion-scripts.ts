/** Shell completion scripts. They call `retake complete`, which also knows turns and branches. */
export const completionScripts: Readonly<Record<string, string>> = {
  bash: String.raw`# retake completion bash > ~/.local/share/bash-completion/completions/retake
_retake() {
  local value about files
  COMPREPLY=()
  {
    read -r files
    while IFS=$'\t' read -r value about; do
      COMPREPLY+=("$(printf '%q' "$value")")
    done
  } < <(retake complete --files -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [ "$files" = files ]; then compopt -o default 2>/dev/null; fi
}
complete -F _retake retake`.replaceAll('\\$', '$'),
  zsh: String.raw`#compdef retake
# retake completion zsh > "\${fpath[1]}/_retake"
_retake() {
  local -a found
  local value about files
  {
    read -r files
    while IFS=$'\t' read -r value about; do
      found+=("\${value//:/\\:}:$about")
    done
  } < <(retake complete --files -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#found )); then _describe retake found; elif [[ $files = files ]]; then _files; fi
}
if [ "$funcstack[1]" = _retake ]; then _retake "$@"; else compdef _retake retake; fi`.replaceAll(
    '\\$',
    '$',
  ),
  fish: String.raw`# retake completion fish > ~/.config/fish/completions/retake.fish
function __retake_wants_files
  test (retake complete --files -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)[1] = files
end
complete -c retake -n 'not __retake_wants_files' -f
complete -c retake -k -a '(retake complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`,
}
