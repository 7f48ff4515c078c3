import { shortId } from '#timeline'
import { type Disk, nameBytes, readRanges, statPath, syncDirectory, writeOnce } from '#disk'
import { Failure } from '#failure'
import {
  findVault,
  noteRescued,
  readKept,
  vaultFiles,
  vaultSessions,
  type Vault,
  type VaultFile,
} from '#store'
import { agentAt, findLosses, type Machine } from '../ground/index.ts'

/** The new session that `rescue` would write, with everything that was copied of a lost one. */
export interface RescuePlan {
  readonly session: string
  readonly title: string
  readonly project: string | null
  readonly newSession: string
  readonly bytes: number
  readonly files: readonly { readonly from: VaultFile; readonly to: string }[]
}

/**
 * Plans to write a session back under a new id: its transcript as it was before the loss, with
 * those of its subagents and its checkpoints. The agent identifies a session by its file's name, so
 * the bytes stay unchanged. Whatever is left of the old session is not touched.
 */
export function planRescue(machine: Machine, wanted: string): RescuePlan {
  using vault = findVault({ data: machine.places.data, disk: machine.disk })
  // Refused before a file is written: afterwards the vault could not record the rescue.
  if (vault !== null && vault.readOnly !== null) throw vault.readOnly
  const session = findKept(vault, wanted)
  const lost = findLosses(machine, session.id)
  const files = vaultFiles(vault!, session.id)
  const transcript = newestOf(
    files.filter(({ role, path }) => role === 'transcript' && isLost(path)),
  )
  if (transcript === null)
    throw new Failure('nothing-lost', `Session ${shortId(session.id)} has lost nothing.`, {
      hint: 'Its transcript contains everything that Retake copied.',
    })
  const { sessions } = agentAt(machine, transcript.path)
  const newSession = sessions.rescuedId(session.id, machine.newId())
  const keepsId = newSession === session.id
  const others = [
    ...Map.groupBy(
      files.filter(({ role }) => keepsId || role !== 'transcript'),
      ({ path }) => path,
    ).values(),
  ].flatMap((generations) => newestOf(generations) ?? [])
  // Under its own id, only what is missing is written.
  const isWanted = ({ path }: VaultFile): boolean =>
    !keepsId || (path !== transcript.path && statPath(path) === null)
  const all = [transcript, ...others.filter(isWanted)]
  return {
    ...session,
    session: session.id,
    newSession,
    bytes: all.reduce((sum, { kept }) => sum + kept, 0),
    files: all.map((from) => ({
      from,
      to: sessions.pathInSession(from.path, session.id, newSession),
    })),
  }

  function isLost(path: string): boolean {
    return lost.some((loss) => loss.path === path)
  }
  /** Of a file that was cut and then continued, the version before the cut. */
  function newestOf(generations: readonly VaultFile[]): VaultFile | null {
    const whole = generations.filter(({ kept }) => kept > 0)
    return (
      whole.findLast(({ lost: how, rescued }) => how !== null && rescued === null) ??
      whole.at(-1) ??
      null
    )
  }
}

/** Writes the transcript last: until it exists, the agent sees no session. */
export function applyRescue(machine: Machine, plan: RescuePlan): void {
  using vault = findVault({ data: machine.places.data, disk: machine.disk })
  for (const { from, to } of plan.files.toReversed()) {
    const slash = to.lastIndexOf('/')
    makeDirectories(machine.disk, to.slice(0, slash))
    writeOnce(machine.disk, to.slice(0, slash), to.slice(slash + 1), readKept(vault!, from))
    verify(vault!, from, to)
  }
  const lost = new Set(findLosses(machine, plan.session).map(({ path }) => path))
  const settled = plan.files.flatMap(({ from }) => (lost.has(from.path) ? [from] : []))
  noteRescued(vault!, settled, plan.newSession)
}

/** Reads the file back before the rescue is reported as done. */
function verify(vault: Vault, from: VaultFile, to: string): void {
  using file = readRanges(to)
  let at = 0
  for (const bytes of readKept(vault, from)) {
    if (!file.read(at, bytes.length).equals(bytes)) break
    at += bytes.length
  }
  if (at === from.kept && file.size === from.kept) return
  throw new Failure('disk-error', `${to} does not contain what was written.`, {
    hint: 'Check the disk. Retake still has its copy.',
  })
}

function findKept(vault: Vault | null, wanted: string): ReturnType<typeof vaultSessions>[number] {
  const all = vault === null ? [] : vaultSessions(vault)
  const matching = wanted.length < 4 ? [] : all.filter(({ id }) => id.startsWith(wanted))
  if (matching.length > 1)
    throw new Failure('session-ambiguous', `${matching.length} sessions begin with ${wanted}.`, {
      hint: 'Give more characters of the id.',
    })
  if (matching.length === 0)
    throw new Failure('session-not-found', `Retake has no copy of session ${wanted}.`, {
      hint: 'Retake can only rescue sessions that it has read.',
    })
  return matching[0]!
}

function makeDirectories(disk: Disk, path: string): void {
  if (disk.stat(nameBytes(path)) !== null) return
  const parent = path.slice(0, path.lastIndexOf('/'))
  makeDirectories(disk, parent)
  disk.makeDirectory(nameBytes(path), 0o700)
  syncDirectory(disk, parent)
}
