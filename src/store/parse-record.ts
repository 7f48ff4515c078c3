import { command, Failure, remedy } from '#failure'

/** Our own JSON. When it cannot be read, nothing may be concluded from its absence. */
export function parseRecord(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch (cause) {
    throw new Failure('store-damaged', 'A record in the store cannot be read.', {
      hint: remedy`Nothing was changed. ${command('check')} to see which records are damaged.`,
      cause,
    })
  }
}
