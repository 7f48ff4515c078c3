import type { Wording } from '#failure'
import { inTypedLine } from '#protocol'

/** The wording inside an agent, where users type commands that begin with `prefix`. */
export const inAgent = (prefix: string): Wording => inTypedLine(prefix, 'inside')
