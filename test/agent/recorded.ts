import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { scriptedModel } from '../model/index.ts'
import { scene, type Scene } from '../scene.ts'
import { claudeCode } from './claude-code.ts'

interface Recording {
  readonly id: string
  /** The name of the recorded scene's directory, which occurs in the transcript's paths. */
  readonly name: string
  /** The transcript's path below the agent's directory. */
  readonly path: string
  readonly text: string
}

let recorded: Promise<Recording> | undefined

/**
 * A session with one finished turn, "hello" and "hi", as the real agent played it.
 */
export async function helloSession(s: Scene): Promise<string> {
  recorded ??= record()
  const { id, name, path, text } = await recorded
  const here = (old: string): string => old.replaceAll(name, basename(s.root))
  const to = join(s.claudeDir, here(path))
  await mkdir(dirname(to), { recursive: true })
  await writeFile(to, here(text))
  return id
}

async function record(): Promise<Recording> {
  await using s = await scene({ git: true })
  await using model = await scriptedModel()
  model.on('hello', 'hi')
  const agent = claudeCode(s, model)
  const { sessionId: id } = await agent.prompt('hello', { recorded: true })
  const { path, bytes } = await agent.transcript(id)
  return {
    id,
    name: basename(s.root),
    path: path.slice(s.claudeDir.length + 1),
    text: Buffer.from(bytes).toString('utf8'),
  }
}
