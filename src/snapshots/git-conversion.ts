import { readSmallFile, statPath } from '#disk'
import type { Repository } from './git-directory.ts'

/** Files outside the repository that can make git store other bytes than the file has. */
export interface GitSettings {
  /** For example `~/.gitconfig` and `/etc/gitconfig`. */
  readonly configs: readonly string[]
  /** For example `~/.config/git/attributes` and `/etc/gitattributes`. */
  readonly attributes: readonly string[]
  /** What `~` in a config means. */
  readonly home?: string
}

export const ATTRIBUTES_FILE = '.gitattributes'
const MAX_CONFIG_BYTES = 1024 * 1024

// Keys that convert, and includes, which may contain such keys. Includes are not followed.
const CONVERTING_KEY = /(?:^|\])\s*(?:autocrlf|eol|attributesfile)\b|\[\s*include/imu
const HARMLESS_KEY = /\bautocrlf\s*=\s*(?:false|no|off|0)\s*$/gimu
const CONVERTING_ATTRIBUTE =
  /(?:^|\s)(?:text|crlf|ident|eol|filter|working-tree-encoding)(?:=\S*)?(?=\s|$)|\[attr\]/mu

/**
 * Returns whether git may store the files of a directory converted (line endings, encodings,
 * filters). If so, Retake has to read a file to know whether git holds its bytes. A wrong yes costs
 * time, a wrong no loses a file: when in doubt, the answer is yes.
 */
export function gitConversion(
  repository: Repository,
  settings: GitSettings,
  /** Directories known to have no attributes file. */
  plain: ReadonlySet<string> = new Set(),
): (directory: string) => boolean {
  const configs = [`${repository.common}/config`, `${repository.directory}/config.worktree`]
  const everywhere =
    [...configs, ...settings.configs].some((path) => {
      if (statPath(path) === null) return false
      const text = readSmallFile(path, MAX_CONFIG_BYTES)?.toString('latin1')
      return text === undefined || CONVERTING_KEY.test(text.replaceAll(HARMLESS_KEY, ''))
    }) || [`${repository.common}/info/attributes`, ...settings.attributes].some(isConverting)
  const known = new Map<string, boolean>()
  const inDirectory = (directory: string): boolean => {
    const cached = known.get(directory)
    if (cached !== undefined) return cached
    const slash = directory.lastIndexOf('/')
    const above =
      directory === '' ? everywhere : inDirectory(directory.slice(0, Math.max(slash, 0)))
    const at = directory === '' ? repository.top : `${repository.top}/${directory}`
    const converts = above || (!plain.has(directory) && isConverting(`${at}/${ATTRIBUTES_FILE}`))
    known.set(directory, converts)
    return converts
  }
  return inDirectory
}

function isConverting(path: string): boolean {
  if (statPath(path) === null) return false
  const text = readSmallFile(path, MAX_CONFIG_BYTES)?.toString('latin1')
  // An unreadable file may contain any attribute.
  return text === undefined || CONVERTING_ATTRIBUTE.test(text)
}
