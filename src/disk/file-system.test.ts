import { expect, test } from 'vitest'
import { needs } from '../../test/needs.ts'
import { durableDisk, type Disk } from './durable-disk.ts'
import { fileSystemOf, findMount } from './file-system.ts'

function onType(type: number): Disk {
  return { ...durableDisk, space: () => ({ free: 0, freeFiles: 0, type }) }
}

needs('linux')('[FT10] [FT23] on Linux the type decides whether to trust locks and watches', () => {
  expect(fileSystemOf(onType(0xef53), '/')).toEqual({
    name: 'ext4',
    isNetwork: false,
    isLocal: true,
  })
  expect(fileSystemOf(onType(0x6969), '/')).toMatchObject({ name: 'nfs', isNetwork: true })
  // `statfs` may return it as a negative number.
  expect(fileSystemOf(onType(0xff53_4d42 | 0), '/')).toMatchObject({ isNetwork: true })
  for (const type of [0x0102_1997, 0x6573_5546, 0x1234])
    expect(fileSystemOf(onType(type), '/').isLocal).toBe(false)
})

const MOUNTS = `/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
devfs on /dev (devfs, local, nobrowse)
/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled, nobrowse, protect)
map auto_home on /System/Volumes/Data/home (autofs, automounted, nobrowse)
//me@nas._smb._tcp.local/work on /Volumes/work (smbfs, nodev, nosuid, mounted by me)
nas:/export/team on /Volumes/work/team (x) (nfs, nodev, nosuid, mounted by me)
me@host: on /Users/me/remote (macfuse, nodev, nosuid, synchronous, mounted by me)
`

test.each([
  ['/Users/me/project', 'apfs', true, false],
  ['/Volumes/work', 'smbfs', false, true],
  ['/Volumes/work/a', 'smbfs', false, true],
  ['/Volumes/workshop', 'apfs', true, false],
  ['/Volumes/work/team (x)/a', 'nfs', false, true],
  ['/Users/me/remote/a', 'macfuse', false, false],
])('[FT10] on macOS `mount` tells that %s is on %s', (path, name, isLocal, isNetwork) => {
  expect(findMount(MOUNTS, path)).toEqual({ name, isLocal, isNetwork })
})

test('a file system that `mount` does not list is not trusted', () => {
  expect(findMount('', '/a')).toEqual({ name: 'unknown', isNetwork: false, isLocal: false })
})
