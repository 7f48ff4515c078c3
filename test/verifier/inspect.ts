import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gitId } from './tree.ts'

/** The entry at a path as a comparable line, with its file identity. */
export interface Seen {
  /** `file 644 ID`, `link TARGET`, `directory 755`. */
  readonly line: string
  readonly identity: string
  readonly size: number
}

/**
 * Everything an operation could touch, at one moment. Paths are Latin-1, one character per byte,
 * because names need not be UTF-8.
 */
export interface Inspection {
  /** The project with its `.git`. */
  readonly project: ReadonlyMap<string, Seen>
  /** The user's home without Retake's own data and without transcripts. */
  readonly home: ReadonlyMap<string, Seen>
  readonly transcripts: ReadonlyMap<string, Buffer>
}

const OWN = /^\.(local\/(share|state)|config|cache)(\/retake)?(\/|$)/
const TRANSCRIPT = /^\.claude\/projects\/.*\.jsonl$/

/** `root` contains `project` and `home`. */
export function inspect(root: string): Inspection {
  const home = walk(Buffer.from(join(root, 'home')))
  const transcripts = new Map<string, Buffer>()
  for (const path of home.keys())
    if (OWN.test(path)) home.delete(path)
    else if (TRANSCRIPT.test(path)) {
      transcripts.set(path, readFileSync(join(root, 'home', path)))
      home.delete(path)
    }
  return { project: walk(Buffer.from(join(root, 'project'))), home, transcripts }
}

function walk(directory: Buffer, below = ''): Map<string, Seen> {
  const found = new Map<string, Seen>()
  const names = readdirSync(directory, { encoding: 'buffer' })
  for (const name of names.map((each) => each.toString('latin1')).sort()) {
    const path = `${below}${name}`
    const whole = Buffer.concat([directory, Buffer.from('/'), Buffer.from(name, 'latin1')])
    const stat = lstatSync(whole, { bigint: true })
    const mode = (stat.mode & 0o7777n).toString(8)
    const identity = `${stat.ino} ${stat.mtimeNs}`
    const size = Number(stat.size)
    if (stat.isDirectory()) {
      found.set(path, { line: `directory ${mode}`, identity, size })
      for (const [inner, seen] of walk(whole, `${path}/`)) found.set(inner, seen)
    } else if (stat.isSymbolicLink())
      found.set(path, {
        line: `link ${readlinkSync(whole, 'buffer').toString('latin1')}`,
        identity,
        size,
      })
    else if (stat.isFile())
      found.set(path, { line: `file ${mode} ${gitId(readFileSync(whole))}`, identity, size })
    else found.set(path, { line: `special ${mode}`, identity, size })
  }
  return found
}
