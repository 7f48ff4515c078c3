import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { Terminal } from '../agent/terminal.ts'
import { write } from '../model/index.ts'
import { needs } from '../needs.ts'
import { type Played, playedOnce } from '../operations/played.ts'
import { cli } from '../scene.ts'

const session = playedOnce({
  turns: { 'first one': 'hi', 'second: make b': [[write('b.txt', '1\n')], 'made b'] },
})

/** `retake` on the PATH, as when installed. */
async function installed({ s }: Played): Promise<Record<string, string>> {
  const bin = join(s.tmp, 'bin')
  await mkdir(bin, { recursive: true })
  await writeFile(join(bin, 'retake'), `#!/bin/sh\nexec ${process.execPath} ${cli} "$@"\n`)
  await chmod(join(bin, 'retake'), 0o755)
  return { ...s.env, PATH: `${bin}:${s.env['PATH']}` }
}

needs('fish')('fish completes commands, options, turns, branches and files', async () => {
  const p = await session()
  await p.run('checkpoint', 'works')
  await p.run('branch', 'rename', 'main', 'try this')
  const env = await installed(p)
  const offers = async (line: string): Promise<string[]> => {
    const script = `retake completion fish | source; complete -C '${line}'`
    const { code, stdout, stderr } = await p.s.run('fish', ['--no-config', '-c', script], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout.trim().split('\n')
  }
  expect((await offers('retake un')).map((each) => each.split('\t')[0])).toEqual([
    'undo',
    'uninstall',
  ])
  expect(await offers('retake undo --on-conflict ')).toEqual([
    'stop',
    'keep-mine',
    'put-back',
    'mark',
  ])
  expect(await offers('retake show ')).toEqual([
    '1\tfirst one',
    'works\tsecond: make b',
    '2\tsecond: make b',
  ])
  expect(await offers('retake switch t')).toEqual(['try this\tyou are here'])
  expect(await offers('retake where b')).toEqual(['b.txt'])
  // No file names where none are allowed.
  expect(await offers('retake op undo ')).not.toContain('b.txt')
})

const ZSH = 'autoload -U compinit; compinit -u; source <(retake completion zsh)'

needs('bash')('bash completes at a prompt', () =>
  completesAtPrompt(
    ['bash', '--norc', '--noprofile', '-i'],
    'eval "$(retake completion bash)"; echo ready $((40 + 2))',
  ),
)

needs('zsh')('zsh completes at a prompt', () =>
  completesAtPrompt(['zsh', '-f', '-i'], `${ZSH}; echo ready $((40 + 2))`),
)

needs('fish')('fish completes at a prompt', () =>
  completesAtPrompt(
    ['fish', '--no-config', '-i'],
    'retake completion fish | source; echo ready (math 40 + 2)',
  ),
)

async function completesAtPrompt(command: readonly string[], load: string): Promise<void> {
  const p = await session()
  await p.run('checkpoint', 'works')
  const prompt = new Terminal(p.s, {
    command,
    cwd: p.s.project,
    env: await installed(p),
    rows: 30,
    columns: 100,
  })
  await prompt.waitFor(/[$#%>] *$/)
  prompt.press(`${load}\r`)
  await prompt.waitFor(/^ready 42/m)
  prompt.press('retake undo --on-con\t')
  await prompt.waitFor(/retake undo --on-conflict/)
  prompt.press('\u0015retake checkpo\t')
  await prompt.waitFor(/retake checkpoint/)
  prompt.press('\u0015retake show wo\t')
  await prompt.waitFor(/retake show works/)
  // No file names where none are allowed, and files where they are.
  prompt.press('\u0015retake op undo b\t')
  prompt.press('\u0015retake where b\t')
  await prompt.waitFor(/retake where b\.txt/)
  expect(prompt.screen()).not.toContain('op undo b.txt')
  prompt.press('\u0015exit\r')
  await prompt.ended()
}
