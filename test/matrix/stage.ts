/**
 * A session that the real agent plays, with its state after each turn: the files, and the
 * conversation that the next request sent to the model. Walks compare with these states.
 */
import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import type { ReceiptView } from '#protocol'
import { claudeCode } from '../agent/index.ts'
import { parseView } from '../cli/schemas.ts'
import { scriptedModel } from '../model/index.ts'
import { type Scene, scene } from '../scene.ts'

type Model = Awaited<ReturnType<typeof scriptedModel>>
type Agent = ReturnType<typeof claudeCode>
type Tui = Awaited<ReturnType<Agent['interactive']>>

/** The tools for playing a session. */
export interface Player {
  readonly s: Scene
  readonly model: Model
  /** One headless turn. */
  readonly say: (prompt: string) => Promise<void>
  /** The last turn ended with this answer; the next request will not contain it unchanged. */
  readonly ended: (answer: string) => void
  /** Labels the state after something other than a turn. */
  readonly mark: (label: string) => Promise<void>
  /** A command of the agent, such as /compact. */
  readonly command: (text: string) => Promise<void>
  /** Plays turns in the TUI, in one agent process. */
  readonly onScreen: (act: (tui: Tui, turn: Turn) => Promise<void>) => Promise<void>
}

/** Records a turn that `act` plays, with the files after it. */
export type Turn = (prompt: string, act: () => Promise<void>) => Promise<void>

interface Past {
  conversation: readonly string[] | null
  readonly files: Awaited<ReturnType<Scene['files']>>
}

export class Walk implements AsyncDisposable {
  readonly #pasts = new Map<string, Past>()
  /** The last seen transcript: it may only grow. */
  #before: Buffer = Buffer.alloc(0)
  #id = ''
  readonly s: Scene
  readonly model: Model
  readonly agent: Agent

  private constructor(s: Scene, model: Model) {
    this.s = s
    this.model = model
    this.agent = claudeCode(s, model)
  }

  static async begin(files: Record<string, string>): Promise<Walk> {
    return new Walk(await scene({ files }), await scriptedModel())
  }

  get player(): Player {
    return {
      s: this.s,
      model: this.model,
      say: (prompt) => this.#say(prompt),
      ended: (answer) => {
        const last = [...this.#pasts.values()].at(-1)!
        last.conversation = [...this.model.conversation(), `assistant: ${answer}`]
      },
      mark: (label) => this.#note(label),
      command: (text) => this.#command(text),
      onScreen: (act) => this.#onScreen(act),
    }
  }

  async #say(prompt: string): Promise<void> {
    await this.#turn(prompt, () => this.#command(prompt))
  }

  async #command(text: string): Promise<void> {
    const resume = this.#id === '' ? {} : { resume: this.#id }
    const { sessionId } = await this.agent.prompt(text, resume)
    this.#id ||= sessionId
  }

  async #onScreen(act: Parameters<Player['onScreen']>[0]): Promise<void> {
    const tui = await this.agent.interactive(this.#id === '' ? {} : { resume: this.#id })
    this.#id ||= tui.sessionId
    await act(tui, (prompt, play) => this.#turn(prompt, play))
    await tui.exit()
  }

  /** The first request of a turn contains the conversation that the previous turn left. */
  async #turn(prompt: string, act: () => Promise<void>): Promise<void> {
    const known = this.model.requests.length
    await act()
    const first = this.model.requests.slice(known).find((request) => request.prompt === prompt)
    const last = [...this.#pasts.values()].findLast(({ conversation }) => conversation === null)
    if (last !== undefined && first !== undefined) {
      const place = this.model.requests.indexOf(first)
      last.conversation = withoutFiller(this.model.conversation(place).slice(0, -1))
    }
    await this.#note(prompt)
  }

  async #note(label: string): Promise<void> {
    this.#pasts.set(label, { conversation: null, files: await this.s.files() })
  }

  /** What the real agent sends to the model on resume; in a fork, so that nothing is added. */
  async #sent(id: string, how: 'headless' | 'screen'): Promise<readonly string[]> {
    if (how === 'headless')
      await this.agent.prompt('probe', { resume: id, args: ['--fork-session'] })
    else {
      const tui = await this.agent.interactive({ resume: id, args: ['--fork-session'] })
      await tui.submit('probe')
      await tui.waitFor(/● ok/)
      await tui.exit()
    }
    const request = this.model.requests.findLastIndex(({ prompt }) => prompt === 'probe')
    return withoutFiller(this.model.conversation(request).slice(0, -1))
  }

  /** Performs the steps of a walk, such as `undo = T2, redo = T3 (screen), say N`. */
  async go(walk: string): Promise<void> {
    const last = [...this.#pasts.values()].at(-1)!
    last.conversation ??= await this.#sent(this.#id, 'headless')
    this.#before = await this.#transcript()
    for (const step of walk.split(', ')) await this.#step(step)
    // The oldest versions try to reach the network anyway, and are refused.
    if (process.env['TEST_CLAUDE'] === undefined) expect(this.model.outside).toEqual([])
  }

  async #step(step: string): Promise<void> {
    const [, act, label, screen] = /^([^=]+?)(?: = (.+?))?( \(screen\))?$/.exec(step)!
    const [verb, ...args] = act!.split(' ')
    if (verb === 'say') {
      await this.#say(args.join(' '))
      const past = this.#pasts.get(args.join(' '))!
      past.conversation = await this.#sent(this.#id, 'headless')
    } else {
      const words = [verb!, ...args, '--session', this.#id, '--json', '--yes']
      const { code, stdout, stderr } = await this.s.retake(...words)
      expect({ step, code, said: code === 0 ? stderr : stdout }).toEqual({
        step,
        code: 0,
        said: '',
      })
      const receipt = parseView<ReceiptView>(stdout)
      const id = verb === 'branch' ? receipt.branches![0]!.id : this.#id
      const { files, conversation } = this.#pasts.get(label!)!
      expect(await this.s.files(), step).toEqual(files)
      expect(await this.#sent(id, screen ? 'screen' : 'headless'), step).toEqual(conversation)
    }
    const now = await this.#transcript()
    expect(now.subarray(0, this.#before.length).equals(this.#before), `${step}: prefix`).toBe(true)
    if (verb === 'branch') expect(now.length, `${step}: untouched`).toBe(this.#before.length)
    this.#before = now
  }

  async #transcript(): Promise<Buffer> {
    const { path } = await this.agent.transcript(this.#id)
    return readFile(path)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.model[Symbol.asyncDispose]()
    await this.s[Symbol.asyncDispose]()
  }
}

/** Without the filler that the agent inserts for a missing answer. */
function withoutFiller(lines: readonly string[]): string[] {
  return lines.filter((line) => line !== 'assistant: No response requested.')
}
