import type { Wording } from '#failure'
import { inTypedLine } from '#protocol'

/** The wording inside the agent, where users type the plugin's commands. */
export const inAgent: Wording = inTypedLine('/retake:', 'inside')
