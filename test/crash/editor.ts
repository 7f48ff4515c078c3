/**
 * Saves a file again each time it is restored, as fast as it can, and logs each save it believes
 * done: `editor.ts STYLE FILE SAVES LOG SEED`.
 */
import {
  appendFileSync,
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { seededRandom } from '../reader/random.ts'

const [style, file, saves, log, seed] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
]
const random = seededRandom(Number(seed))

let open: number | null = null
let count = 0
const parent = process.ppid
while (count < Number(saves)) {
  // The parent process, which restores the file, is gone.
  if (process.ppid !== parent) process.exit(1)
  const isEdited = read().startsWith('EDIT')
  if (isEdited && style !== 'append') continue
  pause()
  const tag = `EDIT-${style}-${count}-${process.pid}\n`
  try {
    save(tag)
  } catch {
    continue
  }
  appendFileSync(log, tag)
  count += 1
}

function save(tag: string): void {
  const body = `${tag}${'u'.repeat(2000)}\n`
  if (style === 'in-place') saveInto(body)
  else if (style === 'atomic') {
    writeFileSync(`${file}.swp`, body)
    renameSync(`${file}.swp`, file)
  } else {
    // Kept open over several saves, as with a log: it continues writing to whatever became of the
    // file.
    if (open === null || count % 5 === 0) {
      if (open !== null) closeSync(open)
      open = openSync(file, 'a')
    }
    writeSync(open, tag)
  }
}

/**
 * Saves like an editor that truncates, but never over its own save: if the file was restored since
 * the last check, the editor alone would be to blame for that loss.
 */
function saveInto(body: string): void {
  const into = openSync(file, existsSync(file) ? 'r+' : 'wx')
  try {
    if (readFileSync(into, 'utf8').startsWith('EDIT')) throw new Error('saved already')
    ftruncateSync(into)
    writeSync(into, body, 0)
  } finally {
    closeSync(into)
  }
}

function read(): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Waits up to 60 microseconds, so that saves eventually hit every call of the restore. */
function pause(): void {
  const until = process.hrtime.bigint() + BigInt(random.below(60_000))
  while (process.hrtime.bigint() < until);
}
