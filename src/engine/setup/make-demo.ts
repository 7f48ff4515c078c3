import { type Disk, nameBytes, writeOnce } from '#disk'
import { launcherText, makeExecutable } from '../hooks/index.ts'

/** A recorded session, with the placeholders `{project}` and `{session}`. */
export interface RecordedDemo {
  readonly files: Readonly<Record<string, string>>
  /** Rows of the transcript. */
  readonly rows: readonly string[]
  /** Files of its subagents. */
  readonly subagents: Readonly<Record<string, string>>
}

export interface Demo {
  readonly project: string
  readonly session: string
  /** A directory for the PATH, with a `retake` that starts this very program. */
  readonly path: string
  /**
   * Environment variables that point the agent and Retake to the demo, and away from the user's
   * data.
   */
  readonly variables: Readonly<Record<string, string>>
}

/** Writes the project and its session to a new directory. */
export function makeDemo(
  disk: Disk,
  directory: string,
  recorded: RecordedDemo,
  { session, now, self = [] }: { session: string; now: Date; self?: readonly string[] },
): Demo {
  const project = `${directory}/shop`
  const config = `${directory}/claude`
  makeDirectory(disk, directory)
  for (const [path, text] of Object.entries(recorded.files)) write(disk, `${project}/${path}`, text)
  const fill = (text: string): string =>
    text.replaceAll('{project}', project).replaceAll('{session}', session)
  const at = `${config}/projects/${project.replaceAll(/[^a-zA-Z0-9]/g, '-')}`
  const rows = bringUpToDate(recorded.rows, now).map(fill)
  write(disk, `${at}/${session}.jsonl`, `${rows.join('\n')}\n`)
  for (const [name, text] of Object.entries(recorded.subagents))
    write(disk, `${at}/${session}/subagents/${name}`, `${fill(text)}\n`)
  for (const name of ['config', 'data', 'state', 'cache', 'run'])
    makeDirectory(disk, `${directory}/${name}`)
  const path = `${directory}/bin`
  if (self.length > 0) writeLauncher(disk, path, self)
  return {
    project,
    session,
    path,
    variables: {
      CLAUDE_CONFIG_DIR: config,
      XDG_CONFIG_HOME: `${directory}/config`,
      XDG_DATA_HOME: `${directory}/data`,
      XDG_STATE_HOME: `${directory}/state`,
      XDG_CACHE_HOME: `${directory}/cache`,
      XDG_RUNTIME_DIR: `${directory}/run`,
    },
  }
}

const STAMP = /"timestamp":"([^"]+)"/

/** Shifts all timestamps, as if the session had ended five minutes ago. */
function bringUpToDate(rows: readonly string[], now: Date): string[] {
  const last = rows.findLast((row) => STAMP.test(row))
  const ended = last === undefined ? 0 : Date.parse(STAMP.exec(last)![1]!)
  const shift = now.getTime() - 5 * 60_000 - ended
  return rows.map((row) =>
    row.replace(
      STAMP,
      (_, stamp: string) => `"timestamp":"${new Date(Date.parse(stamp) + shift).toISOString()}"`,
    ),
  )
}

function write(disk: Disk, path: string, text: string): void {
  const at = path.lastIndexOf('/')
  makeDirectory(disk, path.slice(0, at))
  writeOnce(disk, path.slice(0, at), path.slice(at + 1), Buffer.from(text))
}

function makeDirectory(disk: Disk, path: string): void {
  if (disk.stat(nameBytes(path)) !== null) return
  makeDirectory(disk, path.slice(0, path.lastIndexOf('/')))
  disk.makeDirectory(nameBytes(path), 0o700)
}

function writeLauncher(disk: Disk, directory: string, self: readonly string[]): void {
  write(disk, `${directory}/retake`, launcherText(self))
  makeExecutable(disk, `${directory}/retake`)
}
