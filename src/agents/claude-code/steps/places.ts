/** The directories of Claude Code, under `CLAUDE_CONFIG_DIR` or `~/.claude`. */

export function projectsDirectory(config: string): string {
  return `${config}/projects`
}

export function registryDirectory(config: string): string {
  return `${config}/sessions`
}

export function fileHistoryDirectory(config: string, session: string): string {
  return `${config}/file-history/${session}`
}

const MAX_SLUG = 200

/**
 * The directory name that Claude Code derives from a working directory. Not reversible: `/a/b-c`
 * and `/a/b/c` have the same, so a session's project is read from its rows.
 */
export function slugOf(cwd: string): string {
  const slug = cwd.replaceAll(/[^A-Za-z0-9]/g, '-')
  if (slug.length <= MAX_SLUG) return slug
  let hash = 0
  for (let i = 0; i < cwd.length; i++) hash = (Math.imul(hash, 31) + cwd.charCodeAt(i)) | 0
  return `${slug.slice(0, MAX_SLUG)}-${Math.abs(hash).toString(36)}`
}

/** The prefix of the names of all directories below this one; others may have it too. */
export function slugStart(cwd: string): string {
  return `${cwd.replaceAll(/[^A-Za-z0-9]/g, '-')}-`.slice(0, MAX_SLUG)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Session ids become file names, so only UUIDs may become part of a path. */
export function isSessionId(text: string): boolean {
  return UUID.test(text)
}
