import { spawnSync, type SpawnSyncOptions } from 'node:child_process'
import { findProgram } from '#disk'
import { sameValue, type FilePlan, type LeftReport } from '#timeline'
import type { Machine } from '../ground/index.ts'
import type { Project } from '../project/index.ts'

/** Paths per call, to stay far below the kernel's limit on the command line. */
const BATCH_SIZE = 200
/** Milliseconds. A hanging file system must not block the plan. */
const TIMEOUT = 2000
/** Attributes that users set. The kernel sets others on every file, for example for SELinux. */
const OF_PEOPLE = String.raw`^(user\.|trusted\.|system\.posix_acl|security\.capability)`

/**
 * The extended attributes and ACLs that a plan drops, because it writes changed files anew. Node
 * cannot read them, so this runs `getfattr`. Without it, none are reported.
 */
export function leftAttributes(
  { places }: Machine,
  { path: root }: Project,
  files: readonly FilePlan[],
): LeftReport[] {
  const written = files.filter(
    ({ verb, pre, post }) => verb !== 'skip' && pre.kind === 'file' && !sameValue(pre, post),
  )
  if (written.length === 0) return []
  const program = findProgram('getfattr', places.programs, { outside: [root] })
  if (program === null) return []
  const found = new Map<string, string[]>()
  for (let from = 0; from < written.length; from += BATCH_SIZE) {
    const paths = written.slice(from, from + BATCH_SIZE).map(({ path }) => path)
    const args = ['--absolute-names', '-h', '-m', OF_PEOPLE, '--', ...paths]
    const options = { cwd: root, timeout: TIMEOUT, env: {}, maxBuffer: 2 ** 24 }
    for (const [path, names] of readAttributes(outputOf(program.path, args, options)))
      found.set(path, names)
  }
  return written.flatMap(({ path, post }): LeftReport[] => {
    const names = found.get(path)
    if (names === undefined) return []
    const what = `extended attributes (${names.join(', ')})`
    const why =
      post.kind === 'absent'
        ? `its ${what} are lost and are not restored`
        : `it is rewritten without its ${what}`
    return [{ path, kind: 'extended-attributes', why }]
  })
}

/** Empty if the program cannot be started: a plan does not depend on it. */
function outputOf(program: string, args: string[], options: SpawnSyncOptions): Buffer {
  try {
    const { stdout } = spawnSync(program, args, options)
    return Buffer.isBuffer(stdout) ? stdout : Buffer.alloc(0)
  } catch {
    return Buffer.alloc(0)
  }
}

/** Parses `getfattr` output: a header with the file's name, odd bytes as octal, then names. */
export function readAttributes(output: Buffer): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const part of output.toString('latin1').split('\n\n')) {
    const [head = '', ...names] = part.trim().split('\n')
    const path = /^# file: (?<path>.*)$/u.exec(head)?.groups?.['path']
    if (path === undefined || names.length === 0) continue
    const bytes = path.replaceAll(/\\([0-7]{3})/gu, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 8)),
    )
    found.set(Buffer.from(bytes, 'latin1').toString('utf8'), names)
  }
  return found
}
