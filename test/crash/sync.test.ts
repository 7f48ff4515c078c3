import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { durableDisk, type Disk } from '../../src/disk/index.ts'
import { applyPlan, recover } from '../../src/journal/index.ts'
import { cases } from './cases.ts'
import { applyCase, live, planOf, putContents, setUp, stage, type Scenery } from './stage.ts'

// One process cannot test what a power cut loses. But it can test whether anything could be lost:
// at each transaction, everything written before it must have been synced.

interface Watched {
  readonly disk: Disk
  /** Everything written or renamed and not synced since. */
  readonly unsynced: Map<bigint, string>
}

function watched(): Watched {
  const unsynced = new Map<bigint, string>()
  const file = (fd: number, call: string) => {
    unsynced.set(durableDisk.statOpen(fd).inode, call)
  }
  const name = (path: Buffer, call: string) => {
    const directory = durableDisk.stat(Buffer.from(`${dirname(path.toString())}/.`))
    if (directory !== null) unsynced.set(directory.inode, `${call} ${path.toString()}`)
  }
  const disk: Disk = {
    ...durableDisk,
    create(path, mode) {
      const fd = durableDisk.create(path, mode)
      file(fd, 'create')
      name(path, 'create')
      return fd
    },
    write(fd, bytes) {
      file(fd, 'write')
      return durableDisk.write(fd, bytes)
    },
    changeMode(fd, mode) {
      if (durableDisk.statOpen(fd).kind === 'file') file(fd, 'changeMode')
      durableDisk.changeMode(fd, mode)
    },
    sync(fd) {
      durableDisk.sync(fd)
      unsynced.delete(durableDisk.statOpen(fd).inode)
    },
    async syncSoon(fd) {
      await durableDisk.syncSoon(fd)
      unsynced.delete(durableDisk.statOpen(fd).inode)
    },
    rename(from, to) {
      durableDisk.rename(from, to)
      name(from, 'rename')
      // Files in quarantine need no sync, because all their bytes are in the store.
      if (!to.includes('quarantine')) name(to, 'rename')
    },
    link(from, to) {
      durableDisk.link(from, to)
      name(to, 'link')
    },
    symlink(target, path) {
      durableDisk.symlink(target, path)
      name(path, 'symlink')
    },
    unlink(path) {
      const inode = durableDisk.stat(path)
      durableDisk.unlink(path)
      if (inode?.links === 1) unsynced.delete(inode.inode)
      name(path, 'unlink')
    },
    makeDirectory(path, mode) {
      durableDisk.makeDirectory(path, mode)
      name(path, 'makeDirectory')
    },
    removeDirectory(path) {
      const inode = durableDisk.stat(path)
      durableDisk.removeDirectory(path)
      if (inode !== null) unsynced.delete(inode.inode)
      name(path, 'removeDirectory')
    },
  }
  return { disk, unsynced }
}

function watching(scenery: Scenery) {
  const { disk, unsynced } = watched()
  let transactions = 0
  return {
    base: disk,
    prepare: (store: Parameters<typeof putContents>[0]) => putContents(store, scenery.case),
    onTransaction() {
      transactions += 1
      expect([...unsynced.values()], `transaction ${transactions}`).toEqual([])
    },
    unsynced,
  }
}

const kinds = cases(0).map(({ name }, index) => [name, index] as const)

describe('[R2] [4.6] a power cut loses nothing', () => {
  test.each(kinds)('at any transaction of: %s', async (_, index) => {
    using on = stage()
    const scenery = setUp(on, cases(9000 + index)[index]!)
    const watch = watching(scenery)
    const life = await live(on, [], (journal) => applyPlan(journal, planOf(scenery)), watch)
    expect(life.error).toBeUndefined()
    expect(life.result).toMatchObject({ kind: 'done' })
    expect([...watch.unsynced.values()]).toEqual([])
  })

  test.each(kinds)('at the end of the rollback of: %s', async (_, index) => {
    using on = stage()
    for (let at = 1; ; at += 1) {
      const scenery = setUp(on, cases(9200 + at)[index]!)
      const { disk, unsynced } = watched()
      let atLast: string[] = []
      const life = await live(
        on,
        [{ kind: 'fail', at, errno: 'EIO' }],
        (journal) => applyPlan(journal, planOf(scenery)),
        {
          base: disk,
          prepare: (store) => putContents(store, scenery.case),
          onTransaction: () => {
            atLast = [...unsynced.values()]
          },
        },
      )
      if (life.result?.kind === 'rolled-back')
        expect(atLast, `failed at ${at} (${life.calls[at - 1]})`).toEqual([])
      await live(on, [], recover)
      if (life.calls.length < at) break
    }
  })

  test.each(kinds)('at any transaction of the recovery of: %s', async (_, index) => {
    using on = stage()
    for (let at = 1; ; at += 1) {
      const scenery = setUp(on, cases(9100 + at)[index]!)
      const life = await applyCase(scenery, { kind: 'die', at })
      // Recovery cannot know what the dead process left unsynced, so it must sync what it relies
      // on.
      const recovery = await live(on, [], recover, watching(scenery))
      expect(recovery.error, `after a death at ${at}`).toBeUndefined()
      if (life.calls.length < at) break
    }
  })
})
