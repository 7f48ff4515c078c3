import { readRanges } from '#disk'
import { digestOf } from './digest.ts'
import { field } from './prompt.ts'
import type { OpenSession } from './open-session.ts'

const LARGEST_ROW = 1024 * 1024
/** Claude Code writes such a row at each start, and when the list changes. */
const MOST_READ = 64

const known = new WeakMap<OpenSession, readonly string[]>()

/** The directories that the user gave the agent beside its own, with `--add-dir` or `/add-dir`. */
export function addedDirectories(session: OpenSession): readonly string[] {
  let found = known.get(session)
  if (found === undefined) known.set(session, (found = readAdded(session)))
  return found
}

function readAdded({ transcript, conversation }: OpenSession): string[] {
  const { environments } = digestOf(transcript, conversation)
  if (environments.length === 0) return []
  const added = new Set<string>()
  using file = readRanges(transcript.path)
  for (const { place, length } of environments.slice(-MOST_READ)) {
    if (length > LARGEST_ROW) continue
    const row = parse(file.read(place, length))
    const named = field(field(field(row, 'attachment'), 'snapshot'), 'additionalWorkingDirectories')
    if (!Array.isArray(named)) continue
    for (const path of named)
      if (typeof path === 'string' && path.startsWith('/') && !path.includes('\0')) added.add(path)
  }
  return [...added]
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
