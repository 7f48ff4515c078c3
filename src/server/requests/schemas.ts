import abort from '../../../docs/schemas/abort.json' with { type: 'json' }
import approval from '../../../docs/schemas/approval.json' with { type: 'json' }
import branched from '../../../docs/schemas/branched.json' with { type: 'json' }
import browsers from '../../../docs/schemas/browsers.json' with { type: 'json' }
import challenge from '../../../docs/schemas/challenge.json' with { type: 'json' }
import branches from '../../../docs/schemas/branches.json' with { type: 'json' }
import cancel from '../../../docs/schemas/cancel.json' with { type: 'json' }
import changes from '../../../docs/schemas/changes.json' with { type: 'json' }
import checkpoints from '../../../docs/schemas/checkpoints.json' with { type: 'json' }
import compare from '../../../docs/schemas/compare.json' with { type: 'json' }
import diff from '../../../docs/schemas/diff.json' with { type: 'json' }
import doctor from '../../../docs/schemas/doctor.json' with { type: 'json' }
import gc from '../../../docs/schemas/gc.json' with { type: 'json' }
import settings from '../../../docs/schemas/settings.json' with { type: 'json' }
import storage from '../../../docs/schemas/storage.json' with { type: 'json' }
import error from '../../../docs/schemas/error.json' with { type: 'json' }
import fileAt from '../../../docs/schemas/file-at.json' with { type: 'json' }
import fileHistory from '../../../docs/schemas/file-history.json' with { type: 'json' }
import agents from '../../../docs/schemas/agents.json' with { type: 'json' }
import figures from '../../../docs/schemas/figures.json' with { type: 'json' }
import health from '../../../docs/schemas/health.json' with { type: 'json' }
import images from '../../../docs/schemas/images.json' with { type: 'json' }
import install from '../../../docs/schemas/install.json' with { type: 'json' }
import launch from '../../../docs/schemas/launch.json' with { type: 'json' }
import launchCode from '../../../docs/schemas/launch-code.json' with { type: 'json' }
import leaves from '../../../docs/schemas/leaves.json' with { type: 'json' }
import log from '../../../docs/schemas/log.json' with { type: 'json' }
import messages from '../../../docs/schemas/messages.json' with { type: 'json' }
import moments from '../../../docs/schemas/moments.json' with { type: 'json' }
import opLog from '../../../docs/schemas/op-log.json' with { type: 'json' }
import opShow from '../../../docs/schemas/op-show.json' with { type: 'json' }
import plan from '../../../docs/schemas/plan.json' with { type: 'json' }
import projectFiles from '../../../docs/schemas/project-files.json' with { type: 'json' }
import projects from '../../../docs/schemas/projects.json' with { type: 'json' }
import receipt from '../../../docs/schemas/receipt.json' with { type: 'json' }
import receipts from '../../../docs/schemas/receipts.json' with { type: 'json' }
import search from '../../../docs/schemas/search.json' with { type: 'json' }
import sessions from '../../../docs/schemas/sessions.json' with { type: 'json' }
import show from '../../../docs/schemas/show.json' with { type: 'json' }
import stash from '../../../docs/schemas/stash.json' with { type: 'json' }
import stashShow from '../../../docs/schemas/stash-show.json' with { type: 'json' }
import status from '../../../docs/schemas/status.json' with { type: 'json' }
import tree from '../../../docs/schemas/tree.json' with { type: 'json' }
import versions from '../../../docs/schemas/versions.json' with { type: 'json' }
import voice from '../../../docs/schemas/voice.json' with { type: 'json' }
import voiceToken from '../../../docs/schemas/voice-token.json' with { type: 'json' }
import voiceLog from '../../../docs/schemas/voice-log.json' with { type: 'json' }
import undoState from '../../../docs/schemas/undo-state.json' with { type: 'json' }

/** The published schemas of the server's responses: the same files that `--json` must match. */
const published = {
  abort,
  approval,
  branched,
  branches,
  browsers,
  cancel,
  challenge,
  changes,
  checkpoints,
  compare,
  diff,
  doctor,
  error,
  gc,
  'file-at': fileAt,
  'file-history': fileHistory,
  agents,
  figures,
  health,
  images,
  install,
  launch,
  'launch-code': launchCode,
  leaves,
  log,
  messages,
  moments,
  'op-log': opLog,
  'op-show': opShow,
  plan,
  'project-files': projectFiles,
  projects,
  receipt,
  receipts,
  search,
  settings,
  storage,
  sessions,
  show,
  stash,
  'stash-show': stashShow,
  status,
  tree,
  'undo-state': undoState,
  versions,
  voice,
  'voice-log': voiceLog,
  'voice-token': voiceToken,
}

export type SchemaName = keyof typeof published

/** As components of one document, in which references point to components and not to files. */
export function schemaComponents(): Record<SchemaName, object> {
  const made = Object.entries(published).map(([name, schema]) => {
    const { $schema: _, $id: __, ...rest } = schema as Record<string, unknown>
    return [name, redirect(rest, name)]
  })
  return Object.fromEntries(made) as Record<SchemaName, object>
}

function redirect(value: unknown, own: string): unknown {
  if (Array.isArray(value)) return value.map((each) => redirect(each, own))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === '$ref' ? pointer(String(each), own) : redirect(each, own),
    ]),
  )
}

function pointer(reference: string, own: string): string {
  const other = /^urn:retake:([a-z-]+)\/1(?:#(.*))?$/.exec(reference)
  if (other !== null) return `#/components/schemas/${other[1]}${other[2] ?? ''}`
  return `#/components/schemas/${own}${reference.slice(1)}`
}
