import { command, Failure, remedy } from '#failure'

/**
 * Parses Retake's own JSON. Unreadable JSON is an error: treating it as absent could lose files.
 */
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
