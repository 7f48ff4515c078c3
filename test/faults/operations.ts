import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect, type Inspection } from '../verifier/inspect.ts'
import type { Expected } from '../verifier/verify.ts'
import type { CliWorld, Fault, Ran } from './cli-world.ts'

/** A user's command, and the state it starts from. */
export interface TestOperation {
  readonly name: string
  prepare?(w: CliWorld): void
  args(w: CliWorld): readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** `op undo` restores the state before it. */
  readonly isOperation?: boolean
  readonly erases?: boolean
}

const DAYS_200 = String(200 * 24 * 60 * 60)
const on = (w: CliWorld, ...args: string[]) => [...args, '--session', w.session, '--json']
const operation = (name: string, ...args: string[]): TestOperation => ({
  name,
  args: (w) => on(w, ...args),
  isOperation: true,
})

export const testOperations: readonly TestOperation[] = [
  {
    name: 'snapshot',
    prepare(w) {
      writeFileSync(join(w.project, 'mine.txt'), 'mine\n'.repeat(3000))
      rmSync(join(w.project, 'dir/moved.txt'))
    },
    args: () => ['observe'],
  },
  operation('undo', 'undo'),
  operation('undo 2', 'undo', '2'),
  { ...operation('redo', 'redo', '2'), prepare: (w) => must(w, 'undo', '2') },
  operation('rewind', 'rewind', '1'),
  operation('back', 'back'),
  operation('branch', 'branch', '2', '--title', 'side', '--yes'),
  { ...operation('switch'), args: (w) => on(w, 'switch', otherBranch(w)) },
  operation('restore', 'restore', 'a.txt', 'old.txt', '--at', '0'),
  operation('revert', 'revert', '1'),
  { ...operation('op undo', 'op', 'undo'), prepare: (w) => must(w, 'undo', '2') },
  {
    ...operation('conflict, keep mine', 'undo', '--on-conflict', 'keep-mine'),
    prepare: editFive,
  },
  {
    ...operation('conflict, restore', 'undo', '--on-conflict', 'put-back'),
    prepare: editFive,
  },
  { name: 'checkpoint', args: (w) => on(w, 'checkpoint', 'good') },
  {
    name: 'gc',
    prepare(w) {
      for (let turn = 0; turn < 2; turn += 1) {
        editFive(w, `mine ${turn}`)
        must(w, 'undo', '--on-conflict', 'put-back')
        must(w, 'redo')
      }
    },
    args: (w) => on(w, 'gc', '--yes'),
    env: { FAULT_CLOCK: DAYS_200 },
    erases: true,
  },
  { name: 'purge', args: (w) => on(w, 'purge', 'a.txt', '--yes'), erases: true },
]

/** An operation that ran without faults, ready for fault injection. */
export interface Ready {
  readonly operation: TestOperation
  readonly after: Inspection
  /** Number of libc calls that change something. */
  readonly calls: number
  /** Restores the state before the operation and reads it, with its current inodes. */
  begin(): Inspection
  perform(fault?: Fault): Ran
  expected(before: Inspection, ran: Ran): Expected
}

/** `base` is a saved state of the world; `via` runs everything under another command. */
export function makeReady(
  w: CliWorld,
  operation: TestOperation,
  base: string,
  via: readonly string[] = [],
): Ready {
  w.reset(base)
  operation.prepare?.(w)
  // Computed from the state, because branch ids differ in each.
  const args = operation.args(w)
  w.keep(operation.name)
  const count = join(w.root, 'count')
  // The shim counts only in the first program, which with `via` is not Retake.
  const isCounted = via.length === 0
  const ran = w.retake(args, {
    env: { ...operation.env, ...(isCounted ? { FAULT_COUNT: count } : {}) },
    via,
  })
  if (ran.code !== 0) throw new Error(`${operation.name}: ${ran.code} ${ran.stdout}${ran.stderr}`)
  const after = inspect(w.root)
  return {
    operation,
    after,
    calls: isCounted ? Number(readFileSync(count, 'utf8')) : 0,
    begin() {
      w.reset(operation.name)
      return inspect(w.root)
    },
    perform: ({ env = {} } = {}) => w.retake(args, { env: { ...operation.env, ...env }, via }),
    expected: (before, { code, stdout }) => ({
      before,
      after,
      isDone: code === 0 || isReceipt(stdout),
      ...(operation.isOperation === true && isReceipt(stdout) ? { named: pathsIn(stdout) } : {}),
      ...(operation.erases === true ? { erases: true } : {}),
    }),
  }
}

/** Simulates the next start. A dry run recovers first and changes nothing else. */
export function recoverWorld(w: CliWorld): void {
  const { code, stdout, stderr } = w.retake(on(w, 'undo', '--dry-run'))
  // A conflict and nothing to undo are fine too.
  if (code !== 0 && code !== 4 && code !== 6)
    throw new Error(`the next start: ${code} ${stdout}${stderr}`)
}

function must(w: CliWorld, ...args: string[]): void {
  const { code, stdout, stderr } = w.retake(on(w, ...args))
  if (code !== 0) throw new Error(`retake ${args.join(' ')}: ${code} ${stdout}${stderr}`)
}

/** The user changes the line that T4 changed. */
function editFive(w: CliWorld, text: unknown = 'mine'): void {
  const path = join(w.project, 'a.txt')
  const lines = readFileSync(path, 'utf8').split('\n')
  lines[4] = String(text)
  writeFileSync(path, lines.join('\n'))
}

function otherBranch(w: CliWorld): string {
  const { stdout } = w.retake(on(w, 'branches'))
  const { branches } = JSON.parse(stdout) as { branches: { id: string; current: boolean }[] }
  const other = branches.find(({ current }) => !current)
  if (other === undefined) throw new Error(`no other branch: ${stdout}`)
  return other.id
}

function isReceipt(stdout: string): boolean {
  return stdout.includes('"schema"') && stdout.endsWith('\n') && !stdout.includes('retake.error/')
}

function pathsIn(stdout: string): string[] {
  const receipt = JSON.parse(stdout) as { filesReverted?: string[] }
  return receipt.filesReverted ?? []
}
