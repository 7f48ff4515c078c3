import { readFileSync, writeFileSync } from 'node:fs'
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

/** What everyone has in the files: lines of shared files, and whole files of their own. */
export type Views = Readonly<Record<Who | 'nobody', string>>

export function readViews(root: string): Views {
  const found: Record<Who | 'nobody', string[]> = { A: [], B: [], U: [], nobody: [] }
  for (const [path, line] of readTree(root)) {
    if (line.startsWith('directory')) continue
    const id = /^file \d+ text # (.*)/.exec(line)?.[1]
    const owner = WHO.find((who) => basename(path).startsWith(who.toLowerCase()))
    if (id === undefined) {
      found[owner ?? 'nobody'].push(`${path} ${line}`)
      continue
    }
    for (const each of line.split('\n'))
      found[WHO.find((who) => each.startsWith(`${who}:`)) ?? 'nobody'].push(`${id}: ${each}`)
  }
  const views = Object.entries(found).map(([who, lines]) => [who, lines.toSorted().join('\n')])
  return Object.fromEntries(views) as Record<Who | 'nobody', string>
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

export function saveAsUser(random: Random, root: string, fresh: string): void {
  if (random.chance(0.3)) return writeFileSync(join(root, `u${random.below(3)}`), `${fresh}\n`)
  const { path, lines } = random.pick(sharedFiles(root))
  writeFileSync(join(root, path), changeOf(random, 'U', lines, fresh).lines.join('\n'))
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
