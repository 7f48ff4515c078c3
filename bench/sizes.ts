/** `--small` tests the benches themselves: its figures mean nothing. */
const isSmall = process.argv.includes('--small')

/** Number of files in the trees. */
export const TREES = isSmall ? [1000, 3000] : [1000, 3000, 10_000, 30_000, 100_000]

/** Number of bytes in the transcripts. */
export const TRANSCRIPTS = isSmall ? [1e6, 10e6] : [1e6, 10e6, 100e6, 500e6]

export const SESSIONS = isSmall ? 200 : 5000
