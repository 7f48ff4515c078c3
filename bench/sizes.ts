/** `--small` is for trying the benches themselves: its figures say nothing. */
const isSmall = process.argv.includes('--small')

/** How many files the trees have. */
export const TREES = isSmall ? [1000, 3000] : [1000, 3000, 10_000, 30_000, 100_000]

/** How many bytes the transcripts have. */
export const TRANSCRIPTS = isSmall ? [1e6, 10e6] : [1e6, 10e6, 100e6, 500e6]

export const SESSIONS = isSmall ? 200 : 5000
