import { isPlainOutput, writePart } from '#engine'
import { endUnwritten, endWithReader } from './report-failure.ts'

/** Standard output, and what is known of its terminal. */
export interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  write(text: string): unknown
}

/**
 * Standard output for commands that only print. In a pipe or file, they write without
 * `process.stdout`: it loads Node's network code, which takes longer than reading the session.
 */
export function openOutput(): Output {
  if (isPlainOutput()) return { write: (text) => writeAll(Buffer.from(text)) }
  endWithReader()
  return process.stdout
}

function writeAll(bytes: Buffer): void {
  try {
    for (let at = 0; at < bytes.length;) at += writeSome(bytes, at)
  } catch (error) {
    endUnwritten(error as NodeJS.ErrnoException)
  }
}

/** Returns how many bytes it wrote. */
function writeSome(bytes: Buffer, at: number): number {
  try {
    return writePart(bytes, at)
  } catch (error) {
    // Another process made the pipe non-blocking, and it is full: the stream waits for its reader.
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    endWithReader()
    process.stdout.write(bytes.subarray(at))
    return bytes.length - at
  }
}
