/** The blocks of a model's answer. The server makes relative paths absolute, except `./…`. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly thinking: string }
  | { readonly kind: 'tool'; readonly name: string; readonly input: ToolInput }

export type ToolInput = Readonly<Record<string, unknown>>

export const text = (said: string): Block => ({ kind: 'text', text: said })

export const think = (thought: string): Block => ({ kind: 'thinking', thinking: thought })

export const tool = (name: string, input: ToolInput): Block => ({ kind: 'tool', name, input })

export const write = (path: string, content: string): Block =>
  tool('Write', { file_path: path, content })

export const edit = (
  path: string,
  oldText: string,
  newText: string,
  { all = false }: { all?: boolean } = {},
): Block =>
  tool('Edit', {
    file_path: path,
    old_string: oldText,
    new_string: newText,
    ...(all ? { replace_all: true } : {}),
  })

export const read = (path: string): Block => tool('Read', { file_path: path })

export const bash = (command: string, { background = false } = {}): Block =>
  tool('Bash', {
    command,
    description: 'Run a command',
    ...(background ? { run_in_background: true } : {}),
  })

export const notebookEdit = (path: string, cell: string, source: string): Block =>
  tool('NotebookEdit', { notebook_path: path, cell_id: cell, new_source: source })

/** Starts a subagent, scripted with `model.on(prompt, …)`. */
export const agent = (prompt: string, { background = false } = {}): Block =>
  tool('Agent', {
    description: 'Delegated work',
    prompt,
    subagent_type: 'general-purpose',
    run_in_background: background,
  })
