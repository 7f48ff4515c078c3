import { expect, test } from 'vitest'
import { Terminal } from '../agent/terminal.ts'
import { write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { cli } from '../scene.ts'
import { openTui } from './opened-tui.ts'
import { inPseudoTerminal } from '../agent/pseudo-terminal.ts'

const session = playedOnce({
  turns: {
    hello: 'hi',
    'a prompt that is far too long for a narrow window 世界世界世界世界世界世界世界': [
      [
        write('\u001B[31mred.txt', '1\n'),
        write('世界世界世界世界世界世界世界世界世界世界.txt', '1\n'),
      ],
      'done',
    ],
  },
})

test('[S8] the TUI fits its window, with wide characters, and follows a resize', async () => {
  const p = await session()
  const t = openTui(p, { rows: 24, columns: 80 })
  await t.shows(/❯ ← \(current\)/)
  t.press('u')
  await t.shows(/Press y to continue/)
  expect(t.terminal.screen()).toContain('␛[31mred.txt')
  for (const size of [
    { rows: 10, columns: 40 },
    { rows: 50, columns: 160 },
    { rows: 24, columns: 61 },
  ]) {
    await t.terminal.resize(size)
    // The rules span the window, and the keys are on the last line.
    await t.shows((screen) => {
      const lines = screen.split('\n')
      return (
        lines.length === size.rows &&
        lines[1] === '─'.repeat(size.columns) &&
        lines.at(-3) === '─'.repeat(size.columns) &&
        lines.at(-1)!.startsWith('y continue')
      )
    })
    expect(t.terminal.screen()).toMatch(/Press y to continue/)
  }
  t.press('n')
  await t.shows(/Nothing was changed/)
  await t.quit()
})

test('without colours, and with plain characters, everything is in words', async () => {
  const p = await session()
  await p.run('undo')
  const command = [process.execPath, cli, 'tui', '--session', p.id]
  const bytes = await p.s.run(...inPseudoTerminal(`stty rows 24 cols 80; ${command.join(' ')}`), {
    env: { ...p.agent.env, TERM: 'xterm', NO_COLOR: '1', LC_ALL: 'C', LANG: 'C' },
    input: 'q',
  })
  expect(bytes.code).toBe(0)
  // Only bold, its end, and the cursor's attributes were set.
  expect(bytes.stdout).not.toMatch(/\u001B\[(?:[349]\d|38|48)[;m]/)
  expect(bytes.stdout).toMatch(/\. +2 a prompt that.*undone/)
  // It leaves the alternate screen, and shows the cursor.
  expect(bytes.stdout.lastIndexOf('\u001B[?1049l')).toBeGreaterThan(
    bytes.stdout.lastIndexOf('\u001B[?1049h'),
  )
  expect(bytes.stdout.lastIndexOf('\u001B[?25h')).toBeGreaterThan(
    bytes.stdout.lastIndexOf('\u001B[?25l'),
  )
})

test('the terminal is restored after q, Ctrl-C, SIGTERM, SIGKILL and a crash', async () => {
  const p = await session()
  const shell = new Terminal(p.s, {
    command: ['sh', '-i'],
    cwd: p.s.project,
    env: { ...p.agent.env, PS1: 'shell> ' },
    rows: 24,
    columns: 100,
  })
  const pid = `${p.s.tmp}/pid`
  const script = `${p.s.tmp}/open`
  await p.s.write(
    script,
    `echo $$ > ${pid}; exec ${process.execPath} ${cli} tui --session ${p.id}\n`,
  )
  let said = 0
  await shell.waitFor(/^shell> *$/)
  const open = async (): Promise<number> => {
    said += 1
    shell.press(`sh ${script}; echo end $((${said} + 100))\r`)
    await shell.waitFor((screen) => shell.isAlternate && screen.includes('(current)'))
    return Number(await p.s.read(pid))
  }
  /** Typed text is echoed once, and Return ends a line: the terminal is not raw. */
  const isClean = async (): Promise<void> => {
    shell.press(`echo clean $((${said} + 200))\r`)
    const clean = new RegExp(`^(?:shell> )?clean ${200 + said}\\nshell> *$`, 'm')
    await shell.waitFor((screen) => clean.test(screen))
    expect(shell.screen().split(`echo clean $((${said} + 200))`)).toHaveLength(2)
  }
  const hasEnded = async (): Promise<void> => {
    const end = new RegExp(`end ${100 + said}\\nshell> *$`)
    await shell.waitFor((screen) => !shell.isAlternate && end.test(screen))
  }
  await open()
  shell.press('q')
  await hasEnded()
  await isClean()
  await open()
  await shell.key('ctrl-c')
  await hasEnded()
  await isClean()
  process.kill(await open(), 'SIGTERM')
  await hasEnded()
  await isClean()
  for (const signal of ['SIGKILL', 'SIGSEGV'] as const) {
    process.kill(await open(), signal)
    // The shell may report the end before the screen switches; the message is on the other screen.
    await shell.waitFor(() => !shell.isAlternate)
    await isClean()
  }
  shell.press('exit\r')
  await shell.ended()
  // Nothing was left half done.
  expect((await p.status()).head).toMatchObject({ number: 2 })
})

test('without a terminal it says what it needs', async () => {
  const p = await session()
  expect(await p.s.retake('tui')).toMatchObject({
    code: 2,
    stdout: '',
    stderr:
      '`tui` needs a terminal.\nHint: Without one, use `retake log` and the other commands.\n',
  })
})
