import { expect, test } from 'vitest'
import {
  findLiveProcesses,
  findSessionFile,
  openSession,
  openSessionIndex,
  type ClaudeSession,
} from '../agent/claude-parts.ts'
import { claudeCode } from '../agent/index.ts'
import {
  agent as delegate,
  bash,
  edit,
  notebookEdit,
  read,
  scriptedModel,
  write,
} from '../model/index.ts'
import { playSession } from '../operations/play-session.ts'
import { type Scene, scene } from '../scene.ts'
import { describeSteps, describeTurns } from './describe-session.ts'

const slow = { timeout: 60_000 }

test('[CC] subagents, a notebook, errors and a command of the project are read as they were played', async () => {
  await using s = await scene({
    files: {
      'a.txt': 'one\n',
      'n.ipynb': notebook('1'),
      '.claude/commands/greet.md': 'Greet $ARGUMENTS warmly.\n',
    },
  })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on('T1', [[read('n.ipynb')], notebookEdit('n.ipynb', 'c1', '2'), delegate('sub'), 'done'])
  model.on('sub', [write('sub.txt', 'sub\n'), bash('touch made'), 'sub done'])
  model.on('T2', [[read('missing.txt')], edit('a.txt', 'nowhere', 'x'), bash('exit 3'), 'tried'])
  model.on(/Greet bob/, ['hello'])
  model.on('T3', [delegate('late', { background: true }), 'started'])
  model.on('late', [write('late.txt', 'late\n'), 'late done'])

  const prompts = ['T1', 'T2', '/greet bob', 'T3']
  const sessionId = await playSession({ s, agent, prompts, checkpointing: false })
  const forked = await agent.prompt('T4', { resume: sessionId, args: ['--fork-session'] })
  const { sessionId: copied } = await agent.sdkCall<{ sessionId: string }>(
    'forkSession',
    sessionId,
    {
      dir: s.project,
    },
  )

  const turns = [
    '1<- active prompt "T1"; n.ipynb edited by agent, sub.txt created by subagent',
    '2<1 active prompt "T2"',
    '3<2 active command "/greet bob"',
    '4<3 active prompt "T3"; late.txt created by subagent',
  ]
  const steps = [
    'Read ok',
    'NotebookEdit ok',
    'Agent ok by foreground general-purpose: Write ok, Bash ok (touch made)',
    'Read error',
    'Edit error',
    'Bash error (exit 3)',
    'Agent ok by background general-purpose: Write ok',
  ]
  const first = open(s, sessionId)
  expect(describeTurns(first)).toEqual(turns)
  expect(describeSteps(first)).toEqual(steps)

  // The subagents' files stay with the forked session's original.
  const fork = open(s, forked.sessionId)
  expect(describeTurns(fork)).toEqual([...turns, '5<4 active prompt "T4"'])
  expect(describeSteps(fork)).toEqual(steps)
  expect(fork.summary.counted!.turnIds.slice(0, 4)).toEqual(first.summary.counted!.turnIds)

  const { forkedFrom, turnIds } = open(s, copied).summary.counted!
  expect(forkedFrom).toEqual({ session: sessionId, uuid: first.summary.counted!.turnIds[0] })
  expect(turnIds).toHaveLength(4)
  expect(describeTurns(open(s, copied))).toEqual(turns)
})

test('[CC] a tool that the user denied did nothing', async () => {
  await using s = await scene()
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on('T1', [bash('rm -rf everything'), 'not done'])

  let sessionId = ''
  const run = agent.sdk({
    prompt: 'T1',
    options: {
      permissionMode: 'default',
      allowDangerouslySkipPermissions: false,
      canUseTool: async () => ({ behavior: 'deny', message: 'no' }),
    },
  })
  for await (const message of run) if (message.type === 'result') sessionId = message.session_id

  expect(describeSteps(open(s, sessionId))).toEqual(['Bash denied'])
})

test('[CC] a session played in the TUI: queued, interrupted, shell, live, rewound, compacted', async () => {
  await using s = await scene({ files: { 'a.txt': 'one\n' } })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on('T1', [bash('until [ -e go ]; do sleep 0.05; done'), 'went on'])
  model.on('T2', [{ blocks: ['half an answer'], hang: 'after' }])
  model.on('T3 edit', [[read('a.txt')], edit('a.txt', 'one', 'two'), 'edited it'])
  model.on('T4 say', ['said four'])
  model.on('T5 instead', ['said five'])
  model.on('T6 after', ['said six'])

  const tui = await agent.interactive()
  await expect.poll(() => statusOf(s), slow).toEqual([[tui.sessionId, 'idle']])

  await tui.submit('T1')
  await tui.waitFor(/until/)
  await expect.poll(() => statusOf(s), slow).toEqual([[tui.sessionId, 'busy']])
  await tui.submit('hurry')
  await s.write('go', '')
  await tui.waitFor(/went on/)
  await tui.submit('T2')
  await tui.waitFor(/half an answer/)
  await tui.key('escape')
  await tui.waitFor(/Interrupted/)
  await tui.submit('!echo hi > shell.txt')
  await tui.waitFor(/● ok/)
  await tui.submit('T3 edit')
  await tui.waitFor(/edited it/)
  await tui.submit('T4 say')
  await tui.waitFor(/said four/)

  await tui.submit('/rewind')
  await tui.waitFor(/❯ \(current\)/)
  await tui.key('up')
  await tui.waitFor(/❯ T4 say\s+No code changes/)
  await tui.key('enter')
  await tui.waitFor(/❯ 1\. Restore conversation/)
  await tui.key('enter')
  await tui.waitFor((screen) => !screen.includes('said four') && /❯ T4 say/.test(screen))
  for (let i = 0; i < 'T4 say'.length; i++) await tui.key('backspace')
  await tui.submit('T5 instead')
  await tui.waitFor(/said five/)

  const line = [
    '1<- active prompt "T1" absorbed "hurry"',
    '2<1 active prompt "T2" interrupted',
    '3<2 active shell "!echo hi > shell.txt"',
    '4<3 active prompt "T3 edit"; a.txt edited by agent',
  ]
  // The agent shows its rows a little before it writes them.
  await expect
    .poll(() => describeTurns(open(s, tui.sessionId)), slow)
    .toEqual([...line, '-<4 other prompt "T4 say"', '5<4 active prompt "T5 instead"'])

  await tui.submit('/compact')
  await tui.waitFor(/Compacted/)
  await tui.submit('T6 after')
  await tui.waitFor(/said six/)
  await tui.exit()

  expect(statusOf(s)).toEqual([])
  const session = open(s, tui.sessionId)
  expect(describeTurns(session)).toEqual([
    ...line.map((turn) => turn.replace(/"[^"]*"/, '$& summarized')),
    '-<4 other prompt "T4 say"',
    '5<4 active prompt "T5 instead" summarized',
    '6<5 active prompt "T6 after"',
  ])
  expect(session.transcript.damage).toEqual([])
}, 90_000)

function open(s: Scene, sessionId: string): ClaudeSession {
  const file = findSessionFile(s.claudeDir, sessionId)
  return openSession(s.claudeDir, file!, openSessionIndex(null))
}

function statusOf(s: Scene): [string, string][] {
  return findLiveProcesses(s.claudeDir).map(({ session, status }) => [session, status])
}

function notebook(source: string): string {
  const cell = { cell_type: 'code', id: 'c1', source, metadata: {}, outputs: [] }
  const whole = { cells: [{ ...cell, execution_count: null }], metadata: {}, nbformat: 4 }
  return JSON.stringify({ ...whole, nbformat_minor: 5 })
}
