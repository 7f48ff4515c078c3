/** What Retake uses of the standard class, for Node 22. */
class OwnStack implements Disposable {
  #entries: (() => void)[] = []

  use<T extends Disposable | null | undefined>(value: T): T {
    this.defer(() => value?.[Symbol.dispose]())
    return value
  }

  defer(dispose: () => void): void {
    this.#entries.push(dispose)
  }

  move(): OwnStack {
    const other = new OwnStack()
    other.#entries = this.#entries
    this.#entries = []
    return other
  }

  /** Disposes all in reverse order, even if one fails; then throws the first error. */
  dispose(): void {
    const errors: unknown[] = []
    for (let entry = this.#entries.pop(); entry !== undefined; entry = this.#entries.pop())
      try {
        entry()
      } catch (error) {
        errors.push(error)
      }
    if (errors.length > 0) throw errors[0]
  }

  [Symbol.dispose](): void {
    this.dispose()
  }
}

const Standard = globalThis.DisposableStack as typeof globalThis.DisposableStack | undefined
const Chosen = Standard ?? OwnStack
export { Chosen as DisposableStack }
