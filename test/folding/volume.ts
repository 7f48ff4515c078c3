/**
 * Volumes that fold names, to test on. On Linux one is simulated above a usual disk. If the
 * temporary directory folds names itself, as on a Mac and in `npm run test:folding`, it is that one.
 */
import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { durableDisk } from '../../src/disk/index.ts'
import { foldingDisk, withoutProc, type FoldingOptions } from '../crash/folding-disk.ts'
import { stage, type Stage } from '../crash/stage.ts'
import { world } from '../crash/world.ts'

export interface Volume {
  /** Equal for names that the volume takes for the same. */
  fold(name: string): string
  /** Whether it disregards the Unicode form. */
  readonly form: boolean
  stage(options: FoldingOptions): Stage
}

const simulated: Volume = {
  fold: (name) => name.normalize('NFD').toLowerCase(),
  form: true,
  stage: (options) => stage(world(), foldingDisk(durableDisk, options)),
}

let found: Volume | null | undefined

/** The volume of the temporary directory; null if it folds nothing. */
export function realVolume(): Volume | null {
  return found === undefined ? (found = probe()) : found
}

export function volume(): Volume {
  return realVolume() ?? simulated
}

/** Writes names and looks for them in another spelling. */
function probe(): Volume | null {
  const at = mkdtempSync(join(realpathSync(tmpdir()), 'retake-fold-'))
  const isSame = (name: string, other: string): boolean => {
    writeFileSync(join(at, name), '')
    return statSync(join(at, other), { throwIfNoEntry: false }) !== undefined
  }
  try {
    if (!isSame('a', 'A')) return null
    const isUnicode = isSame('\u00e9', '\u00c9')
    const form = isSame('\u00f6', 'o\u0308')
    const lower = (name: string): string =>
      isUnicode ? name.toLowerCase() : name.replaceAll(/[A-Z]/gu, (letter) => letter.toLowerCase())
    return {
      form,
      fold: (name) => lower(form ? name.normalize('NFD') : name),
      // The kernel decides what a rename by case does.
      stage: ({ hasProc = true }) =>
        stage(world({ below: tmpdir() }), hasProc ? durableDisk : withoutProc(durableDisk)),
    }
  } finally {
    for (const name of readdirSync(at)) rmSync(join(at, name))
    rmSync(at, { recursive: true })
  }
}
