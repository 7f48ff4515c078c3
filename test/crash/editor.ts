/**
 * A program that saves a file again and again, as fast as the file is restored under it, and logs
 * each save that it believes done: `editor.ts STYLE FILE SAVES LOG SEED`.
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
  // Nobody restores the file any more.
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
    // Held open over several saves, as a log is: it goes on into whatever became of the file.
    if (open === null || count % 5 === 0) {
      if (open !== null) closeSync(open)
      open = openSync(file, 'a')
    }
    writeSync(open, tag)
  }
}

/**
 * As an editor that truncates, but never over a save of its own: where the file was put back between
 * its last look and now, that would be a loss that nobody but the editor has made.
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

/** Up to 60 microseconds, so that a save falls on each call of the restore some time. */
function pause(): void {
  const until = process.hrtime.bigint() + BigInt(random.below(60_000))
  while (process.hrtime.bigint() < until);
}
