import { spawnSync } from 'node:child_process'
import { nameBytes } from './names.ts'
import type { Disk } from './durable-disk.ts'

/** What matters about the file system that a directory is on. */
export interface FileSystem {
  /** As users know it, such as `nfs` or `fuse`. */
  readonly name: string
  /** Its locks may be local to one machine, or not work. */
  readonly isNetwork: boolean
  /**
   * All changes go through this machine's kernel, so that watching its directories reports them.
   * False in doubt: then everything is scanned.
   */
  readonly isLocal: boolean
}

const LOCAL: Readonly<Record<number, string>> = {
  0xef53: 'ext4',
  0x5846_5342: 'xfs',
  0x9123_683e: 'btrfs',
  0x0102_1994: 'tmpfs',
  0x8584_58f6: 'ramfs',
  0x794c_7630: 'overlayfs',
  0x2fc1_2fc1: 'zfs',
  0xf2f5_2010: 'f2fs',
  0xca45_1a4e: 'bcachefs',
  0x3153_464a: 'jfs',
  0x4d44: 'vfat',
  0x2011_bab0: 'exfat',
  0x7366_746e: 'ntfs',
  0x482b: 'hfsplus',
}

const NETWORK: Readonly<Record<number, string>> = {
  0x6969: 'nfs',
  0x517b: 'smb',
  0xff53_4d42: 'cifs',
  0xfe53_4d42: 'smb2',
  0x00c3_6400: 'ceph',
  0x5346_414f: 'afs',
  0x0102_1997: '9p',
}

/** Changed by others on the far side of a mount, as in a container of Docker Desktop. */
const FOREIGN: Readonly<Record<number, string>> = { 0x6573_5546: 'fuse', 0x786f_4256: 'vboxsf' }

/** The kind does not change while a directory exists, and asking macOS starts a program. */
const known = new Map<string, FileSystem>()

export function fileSystemOf(disk: Disk, path: string): FileSystem {
  if (process.platform === 'linux') return ofType(disk.space(nameBytes(path)).type >>> 0)
  const cached = known.get(path)
  if (cached !== undefined) return cached
  const found = process.platform === 'darwin' ? findMount(listMounts(), path) : UNKNOWN
  known.set(path, found)
  return found
}

const UNKNOWN: FileSystem = { name: 'unknown', isNetwork: false, isLocal: false }

function ofType(type: number): FileSystem {
  const local = LOCAL[type]
  if (local !== undefined) return { name: local, isNetwork: false, isLocal: true }
  const network = NETWORK[type]
  if (network !== undefined) return { name: network, isNetwork: true, isLocal: false }
  return { ...UNKNOWN, name: FOREIGN[type] ?? UNKNOWN.name }
}

function listMounts(): string {
  const { stdout } = spawnSync('mount', [], {
    encoding: 'utf8',
    env: { PATH: '/sbin:/usr/sbin:/bin', LC_ALL: 'C' },
    timeout: 5000,
  })
  return stdout ?? ''
}

const MOUNT = /^.+? on (\/.*) \((\w+)((?:, [^,()]+)*)\)$/u

/** The file system of a path, from the output of macOS's `mount`. */
export function findMount(output: string, path: string): FileSystem {
  let longest = -1
  let found = UNKNOWN
  for (const line of output.split('\n')) {
    const [, at = '', name = '', options = ''] = MOUNT.exec(line) ?? []
    const isAround = at !== '' && (path === at || path.startsWith(at === '/' ? '/' : `${at}/`))
    if (!isAround || at.length < longest) continue
    longest = at.length
    const isLocal = options.split(', ').includes('local')
    // Volumes of programs (FUSE) are not marked as local either, but have no server's locks.
    found = { name, isLocal, isNetwork: !isLocal && !/fuse/u.test(name) }
  }
  return found
}
