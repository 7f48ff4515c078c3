import {
  spokenCall,
  spokenVerb,
  voiceTools,
  type SpokenCommand,
  type VoiceCall,
  type VoiceProperty,
} from '#protocol'

/**
 * Validates a call from the model, which may make up names and values: an invalid turn count must
 * not become "all of them".
 */
export function readCall(name: string, args: object): VoiceCall | { readonly wrong: string } {
  const tool = voiceTools.find((each) => each.name === name)
  if (tool === undefined) return { wrong: `There is no tool ${name}.` }
  const schema = tool.parametersJsonSchema
  const given = Object.entries(args).filter(([, value]) => value !== null && value !== undefined)
  for (const [key, value] of given) {
    const wanted = schema?.properties[key]
    if (wanted === undefined) return { wrong: `${name} takes no ${key}.` }
    if (!fits(wanted, value)) return { wrong: `${key} of ${name} is not possible.` }
  }
  const missing = schema?.required.find((key) => !given.some(([each]) => each === key))
  if (missing !== undefined) return { wrong: `${name} needs ${missing}.` }
  const verb = spokenVerb(name)
  const read = Object.fromEntries(given)
  if (verb !== null) return spokenCall({ ...read, verb } as SpokenCommand)
  return { ...read, tool: tool.name } as VoiceCall
}

function fits({ type, minimum, enum: known }: VoiceProperty, value: unknown): boolean {
  if (type === 'boolean') return typeof value === 'boolean'
  if (type === 'integer')
    return Number.isSafeInteger(value) && (value as number) >= (minimum ?? -Infinity)
  // A turn number may come as a number.
  if (known === undefined && Number.isSafeInteger(value)) return true
  if (typeof value !== 'string' || value.trim() === '' || value.length > 10_000) return false
  return known === undefined || known.includes(value)
}
