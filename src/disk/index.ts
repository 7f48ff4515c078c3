/**
 * The only room that touches files. Everything above it sees bytes, identities and Failures with
 * words for people, and crash tests see every call.
 */
export { diskFailure } from './disk-failure.ts'
export { listDirectory, lstatPath, statPath, type Entry } from './list-directory.ts'
export { identityOf, readLines, type FileIdentity } from './read-lines.ts'
export { readRanges, readSmallFile } from './read-range.ts'
