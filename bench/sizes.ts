/** `--small` tests the benches themselves: its figures mean nothing. */
const isSmall = process.argv.includes('--small')
/** `--large` shows how costs grow beyond any usual machine, in hours. */
const isLarge = process.argv.includes('--large')

function choose<T>(sizes: { readonly usual: T; readonly small: T; readonly large: T }): T {
  return isSmall ? sizes.small : isLarge ? sizes.large : sizes.usual
}

/** Number of files in the trees. */
export const TREES = choose({
  usual: [1000, 3000, 10_000, 30_000, 100_000],
  small: [1000, 3000],
  large: [100_000, 1_000_000],
})

/** Number of bytes in the transcripts. */
export const TRANSCRIPTS = choose({
  usual: [1e6, 10e6, 100e6, 500e6],
  small: [1e6, 10e6],
  large: [500e6],
})

export const SESSIONS = choose({ usual: 5000, small: 200, large: 50_000 })

/** Number of branches in one session. */
export const BRANCHES = choose({ usual: [1, 2, 5, 10, 20], small: [1, 5], large: [100, 5000] })
