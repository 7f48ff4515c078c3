import type { Runner } from '#agents'
import { lstatPath, readSmallFile, realPathOf } from '#disk'
import { diffTexts, holdsSecrets, type Approval } from '#timeline'

/** Larger files take too long to compare while the agent waits. */
const MAX_BYTES = 1_000_000

/** Adds the lines that the edit would change, so that the user sees them before approving. */
export function withPreview(runner: Runner, project: string, approval: Approval): Approval {
  const preview = runner.preview(approval, project, (path) => readText(project, path))
  if (preview === null) return approval
  return { ...approval, hunks: diffTexts(preview.before, preview.after) }
}

/**
 * Only files of the project: a symlink out of it could lead to a secret under another name (S14).
 */
function readText(project: string, path: string): string | null | undefined {
  const real = realPathOf(path)
  if (!real.startsWith(`${realPathOf(project)}/`) || holdsSecrets(real)) return undefined
  const stat = lstatPath(real)
  if (stat === null) return null
  const bytes = stat.isFile() ? readSmallFile(real, MAX_BYTES) : null
  return bytes === null || bytes.includes(0) ? undefined : bytes.toString('utf8')
}
