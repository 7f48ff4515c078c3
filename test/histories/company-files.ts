import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../reader/random.ts'
import type { Step } from './history.ts'
import { readTree } from './read-tree.ts'

/**
 * Everyone writes to the same files, each in a part of their own, and to files of their own. So it
 * is certain whose every line is, and nothing may ever conflict.
 */
export const WHO = ['A', 'B', 'U'] as const
export type Who = (typeof WHO)[number]

const SHARED = ['s1', 's2', 'd/s3']

/**
 * Lines start with their author, the first line is the file's name. Unique lines separate the
 * parts, because changes with only repeated lines between them conflict (sem.M4).
 */
function startText(id: string): string {
  const parts = WHO.flatMap((who) => [`before ${who}`, '', `${who}: start`, '', `after ${who}`])
  return [`# ${id}`, ...parts, ''].join('\n')
}

export function writeShared(write: (path: string, text: string) => void): void {
  for (const path of SHARED) write(path, startText(path))
}

/** What everyone has in the files, by path: lines of shared files, and whole files of their own. */
export type View = ReadonlyMap<string, string>
export type Views = Readonly<Record<Who | 'nobody', View>>

export function readViews(root: string): Views {
  const found = { A: new Map(), B: new Map(), U: new Map(), nobody: new Map() } as const
  for (const [path, line] of readTree(root)) {
    if (line.startsWith('directory')) continue
    const isShared = /^file \d+ text # /.test(line)
    const owner = WHO.find((who) => basename(path).startsWith(who.toLowerCase())) ?? 'nobody'
    const parts = Map.groupBy(line.split('\n'), (each) => {
      const writer = WHO.find((who) => each.startsWith(`${who}:`))
      return writer ?? (isShared ? 'nobody' : owner)
    })
    for (const [who, lines] of parts) found[who].set(path, lines.join('\n'))
  }
  return found
}

/** The first path, of those to be compared, at which two views differ. */
export function findDifference(one: View, other: View, except: ReadonlySet<string>): string | null {
  const paths = [...new Set([...one.keys(), ...other.keys()])].filter((path) => !except.has(path))
  return paths.find((path) => one.get(path) !== other.get(path)) ?? null
}

interface Shared {
  readonly path: string
  readonly lines: readonly string[]
}

function sharedFiles(root: string): Shared[] {
  return [...readTree(root)].flatMap(([path, line]) =>
    /^file \d+ text # /.test(line)
      ? [{ path, lines: readFileSync(join(root, path), 'utf8').split('\n') }]
      : [],
  )
}

/** A change of one own line: another text, a new line after it, or none if others are left. */
function changeOf(random: Random, who: Who, lines: readonly string[], fresh: string) {
  const own = lines.filter((line) => line.startsWith(`${who}:`))
  const old = random.pick(own)
  const kind = random.below(own.length > 1 ? 3 : 2)
  const put = [[`${who}: ${fresh}`], [old, `${who}: ${fresh}`], []][kind]!
  return { old, put, lines: lines.flatMap((line) => (line === old ? put : [line])) }
}

/** The user saves a part of a shared file, or a file of their own. */
export function saveAsUser(random: Random, root: string, fresh: string): void {
  if (random.chance(0.3)) return writeFileSync(join(root, `u${random.below(3)}`), `${fresh}\n`)
  const { path, lines } = random.pick(sharedFiles(root))
  writeFileSync(join(root, path), changeOf(random, 'U', lines, fresh).lines.join('\n'))
}

/** What the user did to files of others; from then on, operations may conflict there. */
export interface Meddling {
  readonly touched: readonly string[]
  /** Must not come back by itself. */
  readonly deleted: string | null
}

/** The user edits, deletes or moves a file of a session, or makes one where a session had one. */
export function meddle(random: Random, root: string, fresh: string): Meddling | null {
  const own = [...readTree(root)].filter(([path]) => /^[ab]\d$/.test(basename(path)))
  if (own.length === 0 || random.chance(0.2)) {
    const path = `${random.pick(['a', 'b'])}${random.below(4)}`
    if (existsSync(join(root, path))) return null
    writeFileSync(join(root, path), `U: ${fresh}\n`)
    return { touched: [path], deleted: null }
  }
  const [path] = random.pick(own)
  const kind = random.below(3)
  if (kind === 0) {
    appendFileSync(join(root, path), `U: ${fresh}\n`)
    return { touched: [path], deleted: null }
  }
  if (kind === 1) rmSync(join(root, path))
  else renameSync(join(root, path), join(root, `u-${fresh}`))
  return { touched: [path, `u-${fresh}`], deleted: path }
}

/** A step of one session, by an edit tool or by a command. */
export function companyStep(random: Random, root: string, who: 'A' | 'B', fresh: string): Step {
  const own = (): string =>
    `${random.chance(0.3) ? 'd/' : ''}${who.toLowerCase()}${random.below(4)}`
  if (random.chance(0.25)) return { bash: [ownFiles(random, own, fresh)] }
  if (random.chance(0.1)) return { write: own(), text: `${fresh}\n` }
  const { path, lines } = random.pick(sharedFiles(root))
  const { old, put, lines: changed } = changeOf(random, who, lines, fresh)
  const way = random.below(3)
  if (way === 0 && put.length > 0) return { edit: path, old, new: put.join('\n') }
  if (way === 1) return { write: path, text: changed.join('\n') }
  const last = put.at(-1)
  const script = last === undefined ? 'd' : put.length === 1 ? `c\\${last}` : `a\\${last}`
  return { bash: [`sed -i '/^${old}$/${script}' ${path}`] }
}

function ownFiles(random: Random, own: () => string, fresh: string): string {
  const one = own()
  return random.pick([
    `echo ${fresh} > ${one}`,
    `echo ${fresh} >> ${one}`,
    `rm -f ${one}`,
    `mv -T ${one} ${own()} 2>/dev/null`,
    `cp -T ${one} ${own()} 2>/dev/null`,
    `[ -f ${one} ] && chmod +x ${one}`,
  ])
}

function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
