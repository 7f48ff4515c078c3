import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { addPlanTools } from './plan-tools.ts'
import { addReadTools } from './read-tools.ts'
import type { Desk } from './desk.ts'

const INSTRUCTIONS = `Retake undoes and redoes turns of this session: files at once, the conversation when the user leaves the session. Read a plan before you apply it, and show the user what it would do to files. Only apply_plan changes anything.`

/**
 * Tools for the model, over standard input and output. They read and plan; only `apply_plan`
 * changes anything, and only by a plan that this process made.
 */
export async function serveMcp(desk: Desk, version: string): Promise<void> {
  const ended = Promise.withResolvers<void>()
  const handle = serveStdio(() => {
    const server = new McpServer(
      { name: 'retake', title: 'Retake', version },
      { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
    )
    addReadTools(server, desk)
    addPlanTools(server, desk)
    return server
  })
  process.stdin.once('end', () => ended.resolve())
  process.stdin.once('close', () => ended.resolve())
  await ended.promise
  await handle.close()
}
