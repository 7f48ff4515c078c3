import { mutatingCalls, type Disk } from './durable-disk.ts'

/**
 * What goes wrong at the n-th mutating call. `die`: the process dies before it. `tear`: it dies in
 * the middle of a write. `fail`: the call fails with an errno, a write after half of its bytes.
 * `fail-on`: from this call on, all calls of these kinds fail.
 */
export type Fault =
  | { readonly kind: 'die'; readonly at: number }
  | { readonly kind: 'tear'; readonly at: number }
  | { readonly kind: 'fail'; readonly at: number; readonly errno: string }
  | {
      readonly kind: 'fail-on'
      readonly at: number
      readonly errno: string
      readonly calls: readonly string[]
    }
  /** Not a disk fault: another program acts right before the call. */
  | { readonly kind: 'meanwhile'; readonly at: number; readonly act: () => void }

/** Simulates the death of the process. No code of ours may catch it and continue. */
export class Died extends Error {
  constructor(call: string) {
    super(`died at ${call}`)
    this.name = 'Died'
  }
}

export interface FaultyDisk extends Disk {
  /** The names of the mutating calls so far. */
  readonly calls: readonly string[]
  /** Counts a step that is not a disk call, such as a transaction, as one that can die. */
  step(name: string): void
}

/**
 * A disk that fails at chosen calls. After a death every call dies, reads too: cleanup in a `catch`
 * or `finally` must not do what a killed process cannot.
 */
export function faultyDisk(
  disk: Disk,
  faults: readonly Fault[],
  onDeath: (call: string) => void = () => {},
): FaultyDisk {
  const calls: string[] = []
  let dead = false

  function die(call: string): never {
    if (!dead) {
      dead = true
      onDeath(call)
    }
    throw new Died(call)
  }

  function count(call: string): 'go' | 'tear' | { errno: string } {
    if (dead) die(call)
    calls.push(call)
    for (const fault of faults) {
      if (fault.kind === 'fail-on') {
        if (calls.length >= fault.at && fault.calls.includes(call)) return fault
      } else if (fault.at === calls.length) {
        if (fault.kind === 'die') return die(call)
        if (fault.kind === 'fail') return fault
        if (fault.kind === 'tear') return 'tear'
        fault.act()
      }
    }
    return 'go'
  }

  const wrapped = Object.fromEntries(
    Object.entries(disk).map(([call, perform]: [string, (...args: never[]) => unknown]) => [
      call,
      (...args: never[]) => {
        // The kernel closes the files of a killed process.
        if (dead && call !== 'close') die(call)
        if (!isMutating(call)) return perform(...args)
        const effect = count(call === 'syncSoon' ? 'sync' : call)
        if (effect === 'go') return perform(...args)
        // Half of the bytes are written if the disk is full or the process is killed.
        if (call === 'write') {
          const [file, bytes] = args as unknown as [number, Buffer]
          disk.write(file, bytes.subarray(0, bytes.length >> 1))
        }
        return effect === 'tear' ? die(call) : fail(call, effect.errno)
      },
    ]),
  ) as unknown as Disk

  return {
    ...wrapped,
    calls,
    step(name) {
      const effect = count(name)
      if (effect === 'tear') die(name)
      if (effect !== 'go') fail(name, effect.errno)
    },
  }
}

function isMutating(call: string): boolean {
  return (mutatingCalls as readonly string[]).includes(call)
}

function fail(call: string, errno: string): never {
  throw Object.assign(new Error(`${errno}: injected, ${call}`), { code: errno })
}
