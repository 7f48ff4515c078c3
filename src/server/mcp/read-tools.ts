import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { readLog, readStatus, readTurn } from '#engine'
import { logView, showView, statusView } from '#protocol'
import { answering, wantedBy, type Desk } from './desk.ts'

const READS = { readOnlyHint: true, openWorldHint: false } as const

/** Only the newest turns: a long session would fill the model's context. */
const SHOWN = 20

/** Clients truncate long results, and truncated JSON is invalid. */
const MAX_LENGTH = 60_000

export function addReadTools(server: McpServer, desk: Desk): void {
  server.registerTool(
    'list_turns',
    {
      title: 'List turns',
      description:
        'List the turns of this session, newest last: number, prompt, active or undone, and changed files.',
      inputSchema: z.strictObject({
        limit: z.number().int().min(1).max(200).optional().describe('how many; default 20'),
      }),
      annotations: READS,
    },
    ({ limit = SHOWN }, context) =>
      answering(() => {
        const view = logView(readLog(desk.machine, wantedBy(desk, context)))
        return { ...view, turns: view.turns.slice(-limit) }
      }),
  )
  server.registerTool(
    'show_turn',
    {
      title: 'Show a turn',
      description: 'Show one turn: prompt, steps, and the diff of each changed file.',
      inputSchema: z.strictObject({ turn: z.string().describe('its number, or its id') }),
      annotations: READS,
    },
    ({ turn }, context) =>
      answering(() => {
        // What a model reads leaves the machine, so it cannot reveal secrets.
        const view = showView(
          readTurn(desk.machine, wantedBy(desk, context), turn, { reveal: false }),
        )
        if (JSON.stringify(view).length <= MAX_LENGTH) return view
        return { ...view, moments: [], diffs: [], shortened: true }
      }),
  )
  server.registerTool(
    'status',
    {
      title: 'Status',
      description:
        'Show the state of the session: current turn, undone turns, a pending move of the conversation, and turns whose file changes are undone.',
      inputSchema: z.strictObject({}),
      annotations: READS,
    },
    (_, context) => answering(() => statusView(readStatus(desk.machine, wantedBy(desk, context)))),
  )
}
