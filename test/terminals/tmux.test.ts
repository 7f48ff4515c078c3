import { expect } from 'vitest'
import { bash, edit, read, write } from '../model/index.ts'
import { needs } from '../needs.ts'
import { played } from '../operations/played.ts'
import { cli } from '../scene.ts'
import { inputLine } from '../tui/opened-tui.ts'
import { openTmux } from './tmux.ts'

needs('tmux')(
  '[W1][U1][F5][S8] everything in tmux: undo two, prompt again, switch back, a conflict, resize, no colour, kill -9',
  async () => {
    await using p = await played({
      files: { 'a.txt': 'one\ntwo\nthree\n' },
      turns: {
        hello: 'hi',
        'edit 世界': [read('a.txt'), edit('a.txt', 'two', 'TWO'), 'edited'],
        'make c': [[write('c.txt', 'c\n')], 'made c'],
      },
      also: { 'another way': [[bash('echo d > d.txt')], 'made d'] },
    })
    await using w = await openTmux(p.s, { env: p.agent.env, rows: 24, columns: 80 })
    const pid = `${p.s.tmp}/pid`
    const open = `echo $$ > ${pid}; exec ${process.execPath} ${cli} tui --session ${p.id}`
    await p.s.write(`${p.s.tmp}/open`, `${open}\n`)
    const start = async (before = ''): Promise<void> => {
      await w.type(`clear; ${before} sh ${p.s.tmp}/open`, 'Enter')
      await w.shows(/\(current\)/)
    }
    const line = async (text: string): Promise<void> => {
      await w.type(text)
      await w.shows((screen) => inputLine(screen).endsWith(text))
      await w.key('Enter')
      await w.shows((screen) => !inputLine(screen).endsWith(text))
    }

    // Undo two, and prompt differently.
    await w.shows(/^shell>/)
    await start()
    await w.type(':')
    await w.shows((screen) => inputLine(screen) === '> /')
    await line('undo 2')
    await w.shows(/restore +a\.txt[^]*delete +c\.txt[^]*Press y to continue/)
    await w.type('y')
    await w.shows((screen) => inputLine(screen) === '> edit 世界')
    expect(await p.s.read('a.txt')).toBe('one\ntwo\nthree\n')
    await w.key('C-u')
    await w.shows((screen) => inputLine(screen).trim() === '>')
    await line('another way')
    await w.shows(/Allow [^]*echo d > d\.txt[^]*y yes/)
    await w.type('y')
    await w.shows(/made d[^]*Enter send/)

    // Another window size, and back to the branch that was left.
    await w.resize({ rows: 40, columns: 120 })
    await w.shows((screen) => screen.split('\n').includes('─'.repeat(120)))
    await line('/switch main')
    await w.shows(/Switch to main, turn 3[^]*Press y to continue/)
    await w.type('y')
    await w.shows(/Switched to main, turn 3/)
    expect(await p.files()).toMatchObject({ 'a.txt': 'one\nTWO\nthree\n', 'c.txt': 'c\n' })

    // A conflict: nothing is written before a choice.
    await p.s.write('a.txt', 'one\nTWO, mine\nthree\n')
    await line('/undo 2')
    await w.shows(/1 conflict: 1 keep mine, 2 restore old, 3 keep both/)
    await w.type('y')
    await w.shows(/Choose for one file first/)
    expect(await p.s.read('a.txt')).toBe('one\nTWO, mine\nthree\n')
    await w.type('1')
    await w.shows(/left as it is[^]*Press y to continue/)
    await w.type('y')
    await w.shows(/Undid 2 turns/)
    expect(await p.s.read('a.txt')).toBe('one\nTWO, mine\nthree\n')
    await w.key('C-c')
    await w.shows(/shell>$/)

    // Without colours every message is still there.
    await start('NO_COLOR=1')
    await w.shows(/◌ +3 make c .*undone/)
    expect(await w.painted()).not.toMatch(/\u001B\[(?:[0-9;]*;)?(?:[349]\d|38|48)[;m]/)

    // Killed midway: shell and session are unchanged.
    process.kill(Number(await p.s.read(pid)), 'SIGKILL')
    await w.shows((screen) => !screen.includes('(current)') && /Retake was killed/.test(screen))
    // The shell's prompt may have gone with the other screen: Enter brings a new one.
    await w.key('Enter')
    await w.shows(/shell>$/)
    await w.type('echo clean $((40 + 2))', 'Enter')
    await w.shows(/^clean 42\nshell>$/m)
    expect((await w.screen()).split('echo clean $((40 + 2))')).toHaveLength(2)
    expect((await p.log()).filter(({ state }) => state === 'active')).toMatchObject([
      { prompt: 'hello' },
    ])
  },
)
