import type { Wording } from '#failure'
import { inTypedLine } from '#protocol'

/** For a prompt inside the agent, where the plugin's commands can be typed. */
export const inAgent: Wording = inTypedLine('/retake:', 'inside')
