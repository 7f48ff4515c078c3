import { z } from '@hono/zod-openapi'
import { verbOf, type Argument, type BodyOf, type CommandOf, type VerbName } from '#protocol'

/** Text in one line, without control characters. */
export const name = z
  .string()
  .min(1)
  .max(200)
  // eslint-disable-next-line no-control-regex
  .regex(/^[^\u0000-\u001f\u007f]*$/)

export const choice = z.enum(['keep-mine', 'put-back', 'mark'])
const sessionId = z.string().regex(/^[\w-]{4,100}$/)
export const sessionIds = z.array(sessionId).min(1).max(1000)

/** The schema of each kind of argument. */
const kinds: Readonly<Record<Argument['kind'], () => z.ZodType>> = {
  count: () => z.int().min(1).max(999_999),
  operation: () => z.int().min(1).max(999_999_999),
  turn: () =>
    z
      .union([name, z.int().min(0).max(9_999_999)])
      .openapi({ description: 'a turn: its number, its id, or the id of any message in it' }),
  branch: () => name,
  branches: () => z.array(name).min(1).max(1000),
  session: () => sessionId,
  sessions: () => sessionIds,
  name: () => name.regex(/\S/),
  files: () => z.array(z.string().min(1).max(4096)).min(1).max(1000),
  parts: () =>
    z
      .array(z.string().regex(/^[0-9a-f]{40}$/))
      .min(1)
      .max(10_000),
  'files-or-chat': () => z.enum(['files', 'chat']),
  'on-conflict': () => z.enum(['stop', ...choice.options]),
  yes: () => z.boolean(),
}

function shapeOf(takes: Readonly<Record<string, Argument>>): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(takes).map(([key, argument]) => {
      const schema = kinds[argument.kind]()
      return [key, argument.required === true ? schema : schema.optional()]
    }),
  )
}

/** The body of a route whose address names the verb. Refuses unknown keys. */
export function bodyOf<Name extends VerbName>(verb: Name): z.ZodType<BodyOf<Name>> {
  return z.strictObject(shapeOf(verbOf(verb).takes)) as unknown as z.ZodType<BodyOf<Name>>
}

/** The same, with the verb in the body. */
export function commandOf<Name extends VerbName>(verb: Name): z.ZodType<CommandOf<Name>> {
  const shape = { verb: z.literal(verb), ...shapeOf(verbOf(verb).takes) }
  return z.strictObject(shape) as unknown as z.ZodType<CommandOf<Name>>
}

/** Only the arguments, for routes and tools that add others to them. */
export function argumentsOf(takes: Readonly<Record<string, Argument>>): Record<string, z.ZodType> {
  const shape = shapeOf(takes)
  for (const [key, { says }] of Object.entries(takes)) shape[key] = shape[key]!.describe(says)
  return shape
}
