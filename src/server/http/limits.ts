/** Allows `most` calls per time window, then none until the next one. */
export function makeLimit(most: number, milliseconds: number): () => boolean {
  let begins = -Infinity
  let count = 0
  return () => {
    const now = performance.now()
    if (now - begins >= milliseconds) {
      begins = now
      count = 0
    }
    count += 1
    return count <= most
  }
}
