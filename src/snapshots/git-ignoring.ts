import { readSmallFile, statPath } from '#disk'
import type { Repository } from './git-directory.ts'

/** The user's git files outside of repositories. */
export interface UserGit {
  /** The ignore file for all repositories, unless `core.excludesFile` names another. */
  readonly excludes: string | null
  /** Weakest first. */
  readonly configs: readonly string[]
  /** What `~` in a config means. */
  readonly home: string | null
}

/** What git's configs say about ignoring files. */
export interface GitIgnoring {
  readonly excludes: string | null
  /** Git sets it in repositories on volumes that ignore case: `Build/` then ignores `build`. */
  readonly ignoresCase: boolean
}

const MAX_CONFIG_BYTES = 1024 * 1024

/** Reads the configs as git does, the repository's last. Included files are not read. */
export function readIgnoring(repository: Repository | null, git: UserGit): GitIgnoring {
  const own =
    repository === null
      ? []
      : [`${repository.common}/config`, `${repository.directory}/config.worktree`]
  let { excludes } = git
  let ignoresCase = false
  for (const path of [...git.configs, ...own]) {
    // The stat is much cheaper than a failed open, and most of these files do not exist.
    const bytes = statPath(path) === null ? null : readSmallFile(path, MAX_CONFIG_BYTES)
    for (const [key, value] of bytes === null ? [] : coreKeys(bytes.toString('utf8'))) {
      if (key === 'ignorecase') ignoresCase = isTrue(value)
      if (key === 'excludesfile') excludes = pathOf(value ?? '', git.home)
    }
  }
  return { excludes, ignoresCase }
}

const SECTION = /^\s*\[\s*([\w.-]+)\s*("(?:[^"\\]|\\.)*")?\s*\](.*)$/u
const KEY = /^\s*([a-z][\w-]*)\s*(?:=(.*))?$/iu

/** Keys and values of the section `core`. Null for a key without a value. */
function* coreKeys(text: string): Iterable<[string, string | null]> {
  let isCore = false
  for (const line of text.split(/\r?\n/u)) {
    const section = SECTION.exec(line)
    if (section !== null) isCore = section[1]!.toLowerCase() === 'core' && section[2] === undefined
    const found = isCore ? KEY.exec(section === null ? line : section[3]!) : null
    if (found !== null)
      yield [found[1]!.toLowerCase(), found[2] === undefined ? null : unquote(found[2])]
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' }

/** Removes quotes, escapes and a comment. */
function unquote(raw: string): string {
  let value = ''
  let isQuoted = false
  for (let at = 0; at < raw.length; at += 1) {
    const character = raw[at]!
    if (character === '\\') value += ESCAPES[raw[(at += 1)] ?? ''] ?? raw[at] ?? ''
    else if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && (character === '#' || character === ';')) break
    else value += character
  }
  return value.trim()
}

/** A key without a value is true. */
function isTrue(value: string | null): boolean {
  return value === null || /^(?:true|yes|on|[1-9]\d*)$/iu.test(value)
}

/** Null if it names no file that can be found from here, as for an empty value. */
function pathOf(value: string, home: string | null): string | null {
  if (value.startsWith('~/')) return home === null ? null : `${home}/${value.slice(2)}`
  return value.startsWith('/') ? value : null
}
