/**
 * `npm run test:folding`: the tests of names that differ only in spelling, on real file systems that
 * fold names. Each is tested if this machine has what it takes:
 *
 *   fuse   a small file system in Python that folds as a Mac does (python3-fusepy, fuse)
 *   xfs    XFS made with `version=ci`, in a Linux kernel that runs as a program (user-mode-linux,
 *          xfsprogs). It folds ASCII letters.
 *
 * Arguments are for vitest: `npm run test:folding -- test/snapshots`. SEED and RUNS work as always.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { has } from '../house/has-need.ts'
import { ON_DISK } from '../house/in-memory.ts'
import { onFuse } from './on-fuse.ts'
import { onXfs } from './on-xfs.ts'

// Each call takes long in Python, and `npm test` runs test/folding there.
const volumes = {
  fuse: { runOn: onFuse, need: 'fuse', usual: ['test/crash/folding.property'] },
  xfs: { runOn: onXfs, need: 'linux.uml', usual: ['test/crash/folding', 'test/folding'] },
} as const
const given = process.argv.slice(2)

let isWell = true
for (const [name, { runOn, need, usual }] of Object.entries(volumes)) {
  if (!has(need)) {
    console.log(`skipped  ${name}: see \`npm run test:needs\``)
    isWell = false
    continue
  }
  const directory = mkdtempSync(join(ON_DISK, 'retake-folding-'))
  try {
    const code = await runOn({ directory, files: given.length > 0 ? given : usual })
    console.log(`${code === 0 ? 'ok      ' : 'failed  '} ${name}`)
    isWell &&= code === 0
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
process.exitCode = isWell ? 0 : 1
