import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Terminal } from '../agent/terminal.ts'
import { bundled } from '../faults/bundled.ts'
import { scene } from '../scene.ts'
import { stateOf } from '../house/process-facts.ts'

const source = await bundled(
  new URL('../../src/engine/supervise/ask-in-terminal.ts', import.meta.url),
)

test('[sem.C2] while the terminal asks, the agent gets no keys, also just after an earlier question; keys pressed as it appears are no answer', async () => {
  await using s = await scene()
  // Shows each key it gets. It is a child, as under the loop: `script` stops with its own child.
  const agent = `stty raw -echo; tty >tty; exec 3<&0; dd bs=1 2>/dev/null <&3 & echo $! >pid; echo up; wait`
  const terminal = new Terminal(s, { command: ['sh', '-c', agent], cwd: s.project, env: s.env })
  await terminal.waitFor(/up/)
  const read = (name: string): string => readFileSync(join(s.project, name), 'utf8').trim()
  const pid = Number(read('pid'))
  const isSuspended = (): boolean => stateOf(pid) === 'T'
  // In its own process, as Retake does: that process ends with the answer.
  const ask = (question: string): Promise<{ stdout: string }> =>
    s.run(process.execPath, [
      '-e',
      `import(${JSON.stringify(source)}).then(async ({ askInTerminal }) => console.log(await
         askInTerminal({ tty: '${read('tty')}', process: { pid: ${pid} } },
           { announcement: 'soon ${question}', text: 'now ${question}' })))`,
    ])
  const answer = async (question: string, key: string): Promise<string> => {
    const answered = ask(question)
    await terminal.waitFor(new RegExp(`soon ${question}`))
    terminal.press('\u001B')
    terminal.press('\u0012')
    await terminal.waitFor(new RegExp(`now ${question}`))
    // Longer than any process of the question before it may live.
    await sleep(1500)
    expect(isSuspended()).toBe(true)
    terminal.press(key)
    return (await answered).stdout.trim()
  }
  expect(await answer('first', '\u001B')).toBe('false')
  expect(await answer('second', '\u0012')).toBe('true')
  await expect.poll(isSuspended).toBe(false)
  terminal.press('key')
  await terminal.waitFor(/key/)
  // A terminal that is closed while keys are discarded is no answer, and no crash.
  const unanswered = ask('third')
  await terminal.waitFor(/soon third/)
  terminal.close()
  expect((await unanswered).stdout.trim()).toBe('false')
})
