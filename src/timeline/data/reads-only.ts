/** Commands that write no file, except with the options below. */
const READING = new Set(
  (
    'basename cat cd cmp cut df diff dirname du echo egrep fgrep grep head id ls md5sum nl printf ps ' +
    'pwd readlink realpath rg sha1sum sha256sum sleep stat tail test tr type uname wc which whoami'
  ).split(' '),
)
const READING_OF_GIT = new Set(
  'blame cat-file describe diff grep log ls-files ls-tree rev-list rev-parse shortlog show status'.split(
    ' ',
  ),
)

/** Options that make one of these commands write a file or start another program. */
const WRITING_OPTION = /^(--output|--pre|--ext-diff|--open-files-in-pager|-O)/

/**
 * Whether a shell command only reads files, so that its effect needs no warning. Accepts plain
 * words only: redirects, substitutions and background jobs may do anything.
 */
export function readsOnly(command: string): boolean {
  if (/[<>`$(){}\\!\n]|&(?!&)(?<!&&)/.test(command)) return false
  return command.split(/&&|\|\||[;|]/).every((part) => {
    const [name = '', ...words] = part.trim().split(/\s+/)
    if (words.some((word) => WRITING_OPTION.test(word.replaceAll(/["']/g, '')))) return false
    return READING.has(name) || (name === 'git' && READING_OF_GIT.has(words[0] ?? ''))
  })
}
