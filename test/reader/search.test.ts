import { randomUUID } from 'node:crypto'
import { appendFile, mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { search, indexSessions, type Machine } from '#engine'
import type { SearchView } from '#protocol'
import { machineOf } from '../storage/in-process.ts'
import { parseView } from '../cli/schemas.ts'
import { scene, type Scene } from '../scene.ts'

interface Said {
  readonly prompt: string
  readonly answer?: string
  readonly command?: string
  readonly writes?: string
}

interface Written {
  readonly id: string
  readonly path: string
  /** As the agent does it: at the end. */
  add(...turns: readonly Said[]): Promise<void>
  /** Rewrites the whole file, which the agent never does. */
  overwrite(...turns: readonly Said[]): Promise<void>
}

/** A transcript with these turns, made without the agent. */
async function session(
  s: Scene,
  turns: readonly Said[],
  { id = randomUUID(), project = s.project }: { id?: string; project?: string } = {},
): Promise<Written> {
  const path = join(
    s.claudeDir,
    'projects',
    project.replaceAll(/[^a-zA-Z0-9]/g, '-'),
    `${id}.jsonl`,
  )
  await mkdir(dirname(path), { recursive: true })
  let parent: string | null = null
  const row = (type: string, more: object): string => {
    const uuid = randomUUID()
    const about = {
      isSidechain: false,
      userType: 'external',
      version: '2.1.325',
      gitBranch: 'main',
    }
    const timestamp = new Date().toISOString()
    const value = {
      parentUuid: parent,
      type,
      ...more,
      uuid,
      timestamp,
      cwd: project,
      sessionId: id,
    }
    parent = uuid
    return `${JSON.stringify({ ...about, ...value })}\n`
  }
  const turn = ({ prompt, answer = 'Done.', command, writes }: Said): string => {
    const tools = [
      ...(command === undefined ? [] : [{ name: 'Bash', input: { command } }]),
      ...(writes === undefined
        ? []
        : [{ name: 'Write', input: { file_path: join(project, writes), content: 'x\n' } }]),
    ].map((tool) => ({ type: 'tool_use', id: `toolu_${randomUUID()}`, ...tool }))
    const message = (content: object[]) => ({ role: 'assistant', type: 'message', content })
    return [
      row('user', { message: { role: 'user', content: prompt }, promptSource: 'typed' }),
      ...tools.flatMap((tool) => [
        row('assistant', { message: message([tool]) }),
        row('user', {
          message: {
            role: 'user',
            content: [{ tool_use_id: tool.id, type: 'tool_result', content: 'ok' }],
          },
          ...(tool.name === 'Write'
            ? {
                toolUseResult: {
                  type: 'create',
                  filePath: join(project, writes!),
                  content: 'x\n',
                  structuredPatch: [],
                  originalFile: null,
                },
              }
            : {}),
        }),
      ]),
      row('assistant', { message: message([{ type: 'text', text: answer }]) }),
    ].join('')
  }
  const overwrite = async (...all: readonly Said[]): Promise<void> => {
    parent = null
    await writeFile(path, all.map(turn).join(''))
  }
  await overwrite(...turns)
  return { id, path, overwrite, add: (...more) => appendFile(path, more.map(turn).join('')) }
}

function find(machine: Machine, words: string): string[] {
  return search(machine, words, { limit: 24, maxMs: Infinity }).turns.map(({ prompt }) => prompt)
}

test('[F11] search finds words of prompts, answers, files and commands by their beginnings, also in new rows', async () => {
  await using s = await scene()
  using machine = machineOf(s)
  const own = await session(s, [
    { prompt: 'Paint the kitchen', answer: 'It is magenta now.', writes: 'src/walls.ts' },
    { prompt: 'Run it', command: 'cargo bench --quick' },
  ])
  expect(find(machine, 'kitch')).toEqual(['Paint the kitchen'])
  expect(find(machine, 'PAINT mag')).toEqual(['Paint the kitchen'])
  expect(find(machine, 'walls.ts')).toEqual(['Paint the kitchen'])
  expect(find(machine, 'cargo --quick')).toEqual(['Run it'])
  expect(find(machine, 'kitchen cargo')).toEqual([])
  const { turns, files } = search(machine, 'walls', { limit: 24, maxMs: Infinity })
  expect(turns).toMatchObject([{ field: 'files', turn: { number: 1 }, session: own.id }])
  expect(turns[0]!.excerpt).toContainEqual({ text: 'walls', hit: true })
  expect(files).toMatchObject([{ path: 'src/walls.ts', turns: 1 }])

  await own.add({ prompt: 'Now the garage' })
  expect(find(machine, 'garage')).toEqual(['Now the garage'])
  expect(find(machine, 'kitchen')).toEqual(['Paint the kitchen'])
  // The last turn may grow: nothing of it is found twice.
  await own.add({ prompt: 'And the garage door', answer: 'Closed.' })
  expect(find(machine, 'garage').toSorted()).toEqual(['And the garage door', 'Now the garage'])
})

test('[F11][I3] search follows the transcripts: overwritten or removed text is not found any more', async () => {
  await using s = await scene()
  using machine = machineOf(s)
  const own = await session(s, [{ prompt: 'The password is hunter2' }, { prompt: 'Go on' }])
  const other = await session(s, [{ prompt: 'Elsewhere hunter2 too' }])
  expect(find(machine, 'hunter2')).toHaveLength(2)
  // The same length, as when a user removes a secret with an editor.
  await own.overwrite({ prompt: 'The password is *******' }, { prompt: 'Go on' })
  expect(find(machine, 'hunter2')).toEqual(['Elsewhere hunter2 too'])
  // Longer, with another beginning.
  await own.overwrite({ prompt: 'The word is gone' }, { prompt: 'Go on' }, { prompt: 'Further' })
  expect(find(machine, 'password')).toEqual([])
  expect(find(machine, 'gone')).toEqual(['The word is gone'])
  // Shorter.
  await own.overwrite({ prompt: 'Afresh' })
  expect(find(machine, 'further')).toEqual([])
  await rm(other.path)
  expect(find(machine, 'hunter2')).toEqual([])
  expect(find(machine, 'afresh')).toEqual(['Afresh'])
})

test('[F11][W17] deleted branches are not found until that is undone; search can be limited to a project or a session', async () => {
  await using s = await scene()
  const own = await session(s, [{ prompt: 'A walrus here' }])
  const elsewhere = join(s.root, 'elsewhere')
  await mkdir(elsewhere)
  const other = await session(s, [{ prompt: 'A walrus there' }], { project: elsewhere })
  const found = async (...args: string[]): Promise<string[]> => {
    const { code, stdout, stderr } = await s.retake('search', ...args, '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return parseView<SearchView>(stdout)
      .turns.map(({ prompt }) => prompt)
      .toSorted()
  }
  expect(await found('walrus')).toEqual(['A walrus here', 'A walrus there'])
  expect(await found('walrus', '--project', elsewhere)).toEqual(['A walrus there'])
  expect(await found('walrus', '--session', own.id)).toEqual(['A walrus here'])
  expect((await s.retake('sessions', 'delete', other.id, '--yes')).code).toBe(0)
  expect(await found('walrus')).toEqual(['A walrus here'])
  expect((await s.retake('op', 'undo', '--yes', '--session', other.id)).code).toBe(0)
  expect(await found('walrus')).toHaveLength(2)
  const drawn = await s.retake('search', 'walr', 'here')
  expect(drawn.stdout).toContain('A walrus here')
  expect((await s.retake('search', 'no such words')).stderr).toContain('Nothing found.')
})

test('[F11] with two sessions of one id or title, each turn leads to where its id leads', async () => {
  await using s = await scene()
  using machine = machineOf(s)
  const first = await session(s, [{ prompt: 'The same title' }, { prompt: 'In the first' }])
  await session(s, [{ prompt: 'The same title' }, { prompt: 'In the second' }])
  expect(find(machine, 'same title')).toHaveLength(2)
  expect(find(machine, 'in the').toSorted()).toEqual(['In the first', 'In the second'])
  // A project copied with its transcripts: the id means the same one of the two files everywhere.
  await session(s, [{ prompt: 'A copy in the zoo' }], {
    id: first.id,
    project: join(s.root, 'zoo'),
  })
  const { turns } = search(machine, 'in the', { limit: 24, maxMs: Infinity })
  for (const { session: id, turn } of turns) {
    const shown = await s.retake('show', turn.id, '--session', id, '--json')
    expect(shown.code).toBe(0)
  }
})

test('[F11] typed text is searched as words, and never interpreted by the database', async () => {
  await using s = await scene()
  using machine = machineOf(s)
  await session(s, [{ prompt: 'Near the prompt: "quoted" AND not\u0002marked\u0003' }])
  for (const hostile of [
    '"',
    '""',
    '*',
    '"near*',
    'NEAR(near prompt, 2)',
    'near AND',
    'prompt: near',
    '{prompt files}: near',
    '^near',
    '-near',
    'near + prompt',
    "near'; drop table words; --",
    'near\u0000prompt',
    '\u0002near',
    '🦭',
    '%_\\',
    'a'.repeat(100_000),
    'near '.repeat(5000),
  ])
    expect(find(machine, hostile).length, hostile.slice(0, 40)).toBeLessThanOrEqual(1)
  expect(find(machine, '"near" prompt')).toHaveLength(1)
  expect(find(machine, 'AND quoted')).toHaveLength(1)
  expect(find(machine, 'marked')).toHaveLength(1)
})

test('[F11] many sessions are indexed in small steps, newest first, by any process', async () => {
  await using s = await scene()
  using machine = machineOf(s)
  using another = machineOf(s)
  for (let n = 1; n <= 5; n++) {
    const { path } = await session(s, [{ prompt: `Turn of session ${n}` }])
    // Two files written in one clock tick are equally new.
    await utimes(path, n, n)
  }
  // Out of time at once: one session per call, and the number left is reported.
  const ask = (maxMs: number | null) => search(machine, 'turn', { limit: 24, maxMs })
  expect(ask(null)).toMatchObject({ turns: [], sessions: 5, left: 5 })
  expect(ask(-1)).toMatchObject({ turns: [{ prompt: 'Turn of session 5' }], left: 4 })
  expect(ask(-1).left).toBe(3)
  const lefts: number[] = []
  indexSessions(another, { enough: (left) => lefts.push(left) > 100 })
  expect(lefts).toContain(0)
  expect(ask(null)).toMatchObject({ left: 0 })
  expect(ask(null).turns).toHaveLength(5)
})
