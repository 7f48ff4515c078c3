import { field, string } from './field.ts'
import type { Row } from './read-row.ts'

/**
 * The directories that Codex may write in, as a row lists them: the project, those of `--add-dir`
 * and those of the user's configuration.
 */
export function rootsOf({ type, payload }: Row): string[] {
  const lists =
    type === 'session_meta'
      ? [payload?.['runtime_workspace_roots']]
      : type === 'turn_context'
        ? [payload?.['workspace_roots'], field(payload?.['sandbox_policy'], 'writable_roots')]
        : []
  return [...new Set(lists.flatMap((list) => (Array.isArray(list) ? list : [])))].flatMap(
    (value) => pathOf(value) ?? [],
  )
}

/** Only absolute paths without NUL: others cannot be a directory. */
export function pathOf(value: unknown): string | null {
  const path = string(value)
  return path !== null && path.startsWith('/') && !path.includes('\0') ? path : null
}
