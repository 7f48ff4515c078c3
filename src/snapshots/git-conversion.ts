import { readSmallFile, statPath } from '#disk'
import type { Repository } from './git-directory.ts'

/** Where git may be told, outside the repository, to store other bytes than the file has. */
export interface GitSettings {
  /** Such as `~/.gitconfig` and `/etc/gitconfig`. */
  readonly configs: readonly string[]
  /** Such as `~/.config/git/attributes` and `/etc/gitattributes`. */
  readonly attributes: readonly string[]
}

export const ATTRIBUTES_FILE = '.gitattributes'
const LARGEST = 1024 * 1024

// Keys that convert, and includes, which may hold them. Nothing is followed or run.
const CONVERTING_KEY = /(?:^|\])\s*(?:autocrlf|eol|attributesfile)\b|\[\s*include/imu
const HARMLESS_KEY = /\bautocrlf\s*=\s*(?:false|no|off|0)\s*$/gimu
const CONVERTING_ATTRIBUTE =
  /(?:^|\s)(?:text|crlf|ident|eol|filter|working-tree-encoding)(?:=\S*)?(?=\s|$)|\[attr\]/mu

/**
 * Says of a directory whether git may store the files in it changed: line ends, encodings, filters.
 * If so, only the file's own bytes tell whether they are what git holds. A wrong yes costs time, a
 * wrong no costs a file, so every doubt is a yes.
 */
export function gitConversion(
  repository: Repository,
  settings: GitSettings,
  /** Directories that were found to have no attributes file. */
  plain: ReadonlySet<string> = new Set(),
): (directory: string) => boolean {
  const configs = [`${repository.common}/config`, `${repository.directory}/config.worktree`]
  const everywhere =
    [...configs, ...settings.configs].some((path) => {
      if (statPath(path) === null) return false
      const text = readSmallFile(path, LARGEST)?.toString('latin1')
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
  const text = readSmallFile(path, LARGEST)?.toString('latin1')
  // What is there and cannot be read may say anything.
  return text === undefined || CONVERTING_ATTRIBUTE.test(text)
}
