import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findCodexBinary } from '../agent/codex-binary.ts'
import { type Need, NEEDS } from './needs-table.ts'
import { isPretending } from './pretend-platform.ts'

const CHECKS: Readonly<Record<(typeof NEEDS)[Need]['check'], (name: string) => boolean>> = {
  program: (name) => isOnPath(name),
  codex: () => findCodexBinary() !== null,
  linux: () => process.platform === 'linux' && existsSync('/proc/self/stat'),
  'own-platform': () => !isPretending,
  root: () => process.getuid?.() === 0,
  'readable-clone': canOthersRead,
  chattr: canMakeImmutable,
  mount: canMount,
  fuse: canMountFuse,
  folding: () => foldsCase(tmpdir()) || canMountFuse(),
  'user-namespaces': () => succeeds('unshare', ['-rn', 'true']),
}

const known = new Map<Need, boolean>()

/** Whether this machine has it; checked once. */
export function has(need: Need): boolean {
  const found = known.get(need) ?? CHECKS[NEEDS[need].check](need)
  known.set(need, found)
  return found
}

export function isOnPath(name: string, path = process.env['PATH'] ?? ''): boolean {
  return path.split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** The other user that tests switch to cannot read a clone in a private home. */
function canOthersRead(): boolean {
  const other = ['--reuid=65534', '--regid=65534', '--clear-groups']
  const here = fileURLToPath(import.meta.url)
  return process.getuid?.() !== 0 || succeeds('setpriv', [...other, 'test', '-r', here])
}

/** Root in a container often may not mount, so try it. */
function canMount(): boolean {
  if (process.getuid?.() !== 0) return false
  const at = mkdtempSync(join(tmpdir(), 'retake-mount-'))
  try {
    if (!succeeds('mount', ['-t', 'tmpfs', 'tmpfs', at])) return false
    return succeeds('umount', [at])
  } finally {
    rmSync(at, { recursive: true, force: true })
  }
}

/** Whether the volume of a directory takes names in other case for the same. */
export function foldsCase(directory: string): boolean {
  const at = mkdtempSync(join(directory, 'retake-fold-'))
  try {
    return existsSync(at.replace('retake-fold-', 'RETAKE-FOLD-'))
  } finally {
    rmSync(at, { recursive: true })
  }
}

/** The Python of the system, which has its packages; PATH may lead to another. */
export const PYTHON = '/usr/bin/python3'

function canMountFuse(): boolean {
  try {
    accessSync('/dev/fuse', constants.R_OK | constants.W_OK)
  } catch {
    return false
  }
  return isOnPath('fusermount') && succeeds(PYTHON, ['-c', 'import fusepy'])
}

/** Some file systems, and root in most containers, refuse the attribute. */
function canMakeImmutable(): boolean {
  const at = mkdtempSync(join(tmpdir(), 'retake-chattr-'))
  try {
    return succeeds('chattr', ['+i', at]) && succeeds('chattr', ['-i', at])
  } finally {
    rmSync(at, { recursive: true, force: true })
  }
}

function succeeds(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
