import { Failure } from '#failure'

const MIB = 1024 * 1024
/** Larger for prompts, because they include their images. */
export const LARGEST_PROMPT = 52 * MIB

/**
 * The JSON object in a request; an empty body gives an empty object. Stops reading at the limit.
 */
export async function readBody(request: Request, most = MIB): Promise<object> {
  if (Number(request.headers.get('Content-Length') ?? 0) > most) throw tooLarge(most)
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    length += part.length
    if (length > most) throw tooLarge(most)
    parts.push(part)
  }
  if (length === 0) return {}
  const value = parse(Buffer.concat(parts))
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Failure('body-invalid', 'The body must be a JSON object.')
  return value
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new Failure('body-invalid', 'The body is not JSON.', { cause })
  }
}

function tooLarge(most: number): Failure {
  return new Failure('body-too-large', `The body is larger than ${most / MIB} MiB.`)
}
