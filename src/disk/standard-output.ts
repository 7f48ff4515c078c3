import { fstatSync, writeSync } from 'node:fs'

const OUTPUT = 1

/** Whether standard output is a pipe, file or socket, so that it can be written without a stream. */
export function isPlainOutput(): boolean {
  const stat = fstatSync(OUTPUT)
  return stat.isFIFO() || stat.isFile() || stat.isSocket()
}

/** Writes to standard output from this offset on; returns how many bytes it took. */
export function writePart(bytes: Buffer, from: number): number {
  return writeSync(OUTPUT, bytes, from)
}
