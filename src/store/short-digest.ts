/**
 * SHA-256 of a short input, in hexadecimal. Every command needs it at startup, and loading
 * node:crypto takes longer than majority commands run. Use node:crypto for longer inputs.
 */
export function shortDigest(bytes: Uint8Array): string {
  const blocks = new DataView(new ArrayBuffer((((bytes.length + 8) >> 6) + 1) << 6))
  new Uint8Array(blocks.buffer).set(bytes)
  blocks.setUint8(bytes.length, 0x80)
  blocks.setUint32(blocks.byteLength - 4, bytes.length * 8)
  const state = Uint32Array.from(INITIAL_STATE)
  for (let at = 0; at < blocks.byteLength; at += 64) addBlock(state, blocks, at)
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('')
}

/** The first 32 fractional bits of the square and cube roots of primes (FIPS 180-4). */
// prettier-ignore
const INITIAL_STATE = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]
// prettier-ignore
const ROUNDS = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]

function addBlock(state: Uint32Array, blocks: DataView, at: number): void {
  const words = new Uint32Array(64)
  for (let n = 0; n < 16; n++) words[n] = blocks.getUint32(at + n * 4)
  for (let n = 16; n < 64; n++) {
    const near = words[n - 2]!
    const far = words[n - 15]!
    const s0 = rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3)
    const s1 = rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10)
    words[n] = words[n - 16]! + s0 + words[n - 7]! + s1
  }
  // prettier-ignore
  let [a, b, c, d, e, f, g, h] =
    state as unknown as [number, number, number, number, number, number, number, number]
  for (let n = 0; n < 64; n++) {
    const choice = (e & f) ^ (~e & g)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const first =
      h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + ROUNDS[n]! + words[n]!
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  for (const [n, word] of [a, b, c, d, e, f, g, h].entries()) state[n]! += word
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}
