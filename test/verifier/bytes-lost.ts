/** Thrown when bytes are neither in the tree nor in the store. */
export class BytesLost extends Error {
  readonly bytes: number

  constructor(message: string, bytes: number) {
    super(message)
    this.name = 'BytesLost'
    this.bytes = bytes
  }
}
