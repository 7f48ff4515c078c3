import { identityOf, ignoresCase, listDirectory, readSmallFile, statPath } from '#disk'
import type { SessionFile } from '../../session-file.ts'
import { NAME } from '../steps/index.ts'
import { isSessionId, projectsDirectory, slugOf, slugStart } from '../steps/index.ts'

export interface ClaudeFile extends SessionFile {
  /** The directory below `projects`. Its name is a lossy form of the project's path. */
  readonly slug: string
  /** There is a directory next to the file: with subagents, or a title from the user. */
  readonly hasMore: boolean
}

/** All sessions on the machine, or those whose working directory may be one of `directories`. */
export function listSessionFiles(config: string, directories?: readonly string[]): ClaudeFile[] {
  const root = projectsDirectory(config)
  const slugs =
    directories === undefined
      ? listDirectory(root).flatMap(({ name, kind }) => (kind === 'directory' ? [name] : []))
      : directories.flatMap((directory) => slugsOf(root, directory))
  return [...new Set(slugs)].flatMap((slug) => listOne(`${root}/${slug}`, slug))
}

/** The agent may have been started under another spelling of the same directory. */
function slugsOf(root: string, directory: string): string[] {
  // Claude Code composes names before it derives the slug.
  const own = [...new Set([directory, directory.normalize('NFC')].map(slugOf))]
  if (!ignoresCase(directory)) return own
  const wanted = new Set(own.map((slug) => slug.toLowerCase()))
  const others = listDirectory(root).filter(({ name }) => wanted.has(name.toLowerCase()))
  return [...own, ...others.map(({ name }) => name)]
}

/** Sessions whose working directory may be this directory or below it: the names are lossy. */
export function listSessionFilesBelow(config: string, directory: string): ClaudeFile[] {
  const root = projectsDirectory(config)
  const own = slugOf(directory)
  const above = slugStart(directory)
  return listDirectory(root).flatMap(({ name, kind }) =>
    kind === 'directory' && (name === own || name.startsWith(above))
      ? listOne(`${root}/${name}`, name)
      : [],
  )
}

/** The directories that hold sessions, one per working directory. */
export function projectDirectories(config: string): string[] {
  const root = projectsDirectory(config)
  return listDirectory(root).flatMap(({ name, kind }) =>
    kind === 'directory' ? [`${root}/${name}`] : [],
  )
}

export function sessionFilesIn(directory: string): ClaudeFile[] {
  return listOne(directory, directory.slice(directory.lastIndexOf('/') + 1))
}

/** Finds a session in any project; null if there is none with that id. */
export function findSessionFile(config: string, id: string): ClaudeFile | null {
  if (!isSessionId(id)) return null
  const root = projectsDirectory(config)
  for (const { name } of listDirectory(root)) {
    const directory = `${root}/${name}`
    const hasMore = statPath(`${directory}/${id}`)?.isDirectory() ?? false
    const file = describe(directory, name, { id, hasMore })
    if (file !== null) return file
  }
  return null
}

function listOne(directory: string, slug: string): ClaudeFile[] {
  const entries = listDirectory(directory)
  const directories = new Set(
    entries.flatMap(({ name, kind }) => (kind === 'directory' ? [name] : [])),
  )
  return entries.flatMap(({ name }) => {
    const id = name.endsWith('.jsonl') ? name.slice(0, -'.jsonl'.length) : ''
    if (!isSessionId(id)) return []
    const file = describe(directory, slug, { id, hasMore: directories.has(id) })
    return file === null ? [] : [file]
  })
}

function describe(
  directory: string,
  slug: string,
  { id, hasMore }: { id: string; hasMore: boolean },
): ClaudeFile | null {
  const path = `${directory}/${id}.jsonl`
  const stat = statPath(path)
  if (stat === null || !stat.isFile()) return null
  // `birthtime` has the same value but costs half a stat more.
  const bornAt = new Date(Number(stat.birthtimeMs))
  return { agent: NAME, id, path, slug, identity: identityOf(stat), bornAt, hasMore }
}

const MAX_POINTER_BYTES = 4096

/**
 * A project and the other worktrees of its repository: Claude Code lists their sessions together.
 * Read from git's files, without running git.
 */
export function relatedWorktrees(project: string): string[] {
  const gitFile = text(`${project}/.git`)
  const own = gitFile?.startsWith('gitdir: ') ? gitFile.slice('gitdir: '.length).trim() : null
  const common = own === null ? `${project}/.git` : commonDirectory(project, own)
  const main = common.endsWith('/.git') ? common.slice(0, -'/.git'.length) : null
  const others = listDirectory(`${common}/worktrees`).flatMap(({ name }) => {
    const pointer = text(`${common}/worktrees/${name}/gitdir`)?.trim()
    return pointer?.endsWith('/.git') ? [pointer.slice(0, -'/.git'.length)] : []
  })
  return [...new Set([project, ...(main === null ? [] : [main]), ...others])]
}

function commonDirectory(project: string, own: string): string {
  const absolute = own.startsWith('/') ? own : `${project}/${own}`
  return absolute.replace(/\/worktrees\/[^/]+$/, '')
}

function text(path: string): string | null {
  return readSmallFile(path, MAX_POINTER_BYTES)?.toString('utf8') ?? null
}
