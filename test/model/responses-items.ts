import { type Block, tool } from './blocks.ts'
import type { ResponsesBody } from './responses-body.ts'

/** Runs a shell command, with the tool that the request offers for it. */
export const shell = (command: string): Block => tool('shell', { command })

/** Applies a patch in Codex's format, without its first and last line. */
export const patch = (...lines: readonly string[]): Block =>
  tool('apply_patch', { patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') })

export const addFile = (path: string, text: string): Block =>
  patch(`*** Add File: ${path}`, ...linesWith('+', text))

export const updateFile = (path: string, before: string, after: string): Block =>
  patch(`*** Update File: ${path}`, '@@', ...linesWith('-', before), ...linesWith('+', after))

export const deleteFile = (path: string): Block => patch(`*** Delete File: ${path}`)

function linesWith(sign: string, text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n').map((line) => `${sign}${line}`) // prettier-ignore
}

/** An output item of the Responses API. */
export type OutputItem = Readonly<Record<string, unknown>> & { readonly type: string }

/** The items of one answer; `answer` makes their ids unique. */
export function itemsOf(
  blocks: readonly Block[],
  { tools = [] }: ResponsesBody,
  answer: string,
): OutputItem[] {
  return blocks.map((block, n): OutputItem => {
    const own = `${answer}_${n}`
    if (block.kind === 'text') return messageItem(`msg_${own}`, block.text)
    if (block.kind === 'thinking')
      return {
        type: 'reasoning',
        id: `rs_${own}`,
        summary: [{ type: 'summary_text', text: block.thinking }],
        content: [],
        encrypted_content: null,
      }
    const ids = { id: `fc_${own}`, call_id: `call_${own}`, status: 'completed' }
    const call = (name: string, input: unknown): OutputItem => ({
      type: 'function_call',
      ...ids,
      name,
      ...namespaceOf(tools, name),
      arguments: JSON.stringify(input),
    })
    const run = (command: string): OutputItem => {
      const names = new Set(tools.map(({ name, type }) => name ?? type))
      if (names.has('exec_command')) return call('exec_command', { cmd: command })
      if (names.has('shell_command')) return call('shell_command', { command })
      return call('shell', { command: ['bash', '-lc', command] })
    }
    if (block.name === 'shell') return run(String(block.input['command']))
    if (block.name !== 'apply_patch') return call(block.name, block.input)
    const text = String(block.input['patch'])
    const offered = tools.find(({ name }) => name === 'apply_patch')
    // Without a tool for patches, the agent intercepts the command of that name.
    if (offered === undefined) return run(`apply_patch <<'RETAKE_PATCH'\n${text}\nRETAKE_PATCH`)
    if (offered.type !== 'custom') return call('apply_patch', { input: text })
    return { type: 'custom_tool_call', ...ids, name: 'apply_patch', input: text }
  })
}

/** Some tools are offered in groups, and called with the name of the group. */
function namespaceOf(
  tools: NonNullable<ResponsesBody['tools']>,
  name: string,
): { namespace?: string } {
  const group = tools.find((tool) => tool.tools?.some((inner) => inner.name === name))
  return group?.name === undefined ? {} : { namespace: group.name }
}

function messageItem(id: string, text: string): OutputItem {
  const content = [{ type: 'output_text', text, annotations: [] }]
  return { type: 'message', id, role: 'assistant', status: 'completed', content }
}
