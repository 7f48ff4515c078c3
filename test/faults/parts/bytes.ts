/** Odd names, bytes, modes and links, changed by the agent's shell, back and forth. */
import { equal } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { claudeCode } from '../../agent/index.ts'
import { bash, scriptedModel } from '../../model/index.ts'
import type { Random } from '../../reader/random.ts'
import { cli, scene } from '../../scene.ts'
import { inspect } from '../../verifier/inspect.ts'
import { scansEnd } from '../cli-world.ts'
import { inMemory } from '../../house/in-memory.ts'
import type { Part } from '../part.ts'

const NAMES = ['plain', 'with space', 'new\\nline', '-dash', '.hidden', 'ü', 'u\\xcc\\x88', 'latin-\\xfc', 'quote"\'', 'back\\\\slash', 'tab\\t', 'x'.repeat(200), 'CON', 'Case', 'emoji-\\xf0\\x9f\\xa6\\x86', 'glob*?[a]', '$HOME', 'a:b'] // prettier-ignore
const BYTES = ['', 'line\\n', 'crlf\\r\\n', 'no end', '\\xef\\xbb\\xbfbom\\n', '\\xff\\xfeu\\x00t\\x00f\\x00', '\\xe9\\xe8 latin', '\\x00\\x01\\x02bin\\xff', 'mixed\\r\\nends\\n\\r', 'long '.repeat(3000)] // prettier-ignore
const MODES = [644, 755, 600, 444, 640]
/**
 * Chosen by name and set by `mkdir -m`, so that no scan sees a directory with another mode: the
 * mode of a directory that stays is not covered.
 */
const DIRECTORY_MODES = [755, 700, 750]

/** A shell script that writes the bytes with `printf`, on the tree that the previous one left. */
function script(random: Random, changes: number): string {
  const lines: string[] = []
  for (let number = 0; number < changes; number += 1) {
    const directory = random.pick(['.', 'd', 'd/deep', 'other dir'])
    const name = random.pick(NAMES)
    lines.push(
      `d='${directory}'; mkdir -p "$d" 2>/dev/null; f="$(printf '%b.' '${name.replaceAll("'", '\\x27')}')"; f="$d/\${f%.}"`,
    )
    lines.push(
      random.pick([
        `rm -rf -- "$f"; printf '%b' '${random.pick(BYTES)}' > "$f"; chmod ${random.pick(MODES)} -- "$f"`,
        `rm -rf -- "$f"; printf '%b' '${random.pick(BYTES)}${number}' > "$f"`,
        `rm -rf -- "$f"; ln -s -- '${random.pick(['plain', 'nowhere', '../..', 'loop'])}' "$f"`,
        `rm -rf -- "$f"`,
        `rm -rf -- "$f"; mkdir -m ${DIRECTORY_MODES[name.length % 3]} -- "$f"`,
        `[ -f "$f" ] && [ ! -L "$f" ] && chmod ${random.pick(MODES)} -- "$f"`,
        `[ -e "$f" ] && [ ! -e d/moved-${number} ] && mkdir -p d && mv -- "$f" d/moved-${number}`,
      ]),
    )
  }
  return `${lines.join('\n')}\ntrue\n`
}

type State = ReturnType<typeof inspect>['project']

export const bytes: readonly Part[] = [
  {
    name: 'bytes',
    goal: 'R10',
    fault:
      'random changes by the agent’s shell to files with odd names, bytes, modes and links: each turn undone and redone (not the modes of directories that stay)',
    usual: 1000,
    pieces: 5,
    async try({ runs, random, point, note }) {
      const turns = 5
      await using s = await scene({ below: inMemory(), git: true, files: { 'd/plain': 'plain\n' } })
      await using model = await scriptedModel()
      const agent = claudeCode(s, model)
      const retake = async (...args: string[]) => {
        const { code, stdout } = await s.run(process.execPath, [cli, ...args, '--json'])
        equal(code, 0, `${args.join(' ')}: ${stdout}`)
      }
      await retake('install')
      model.on('hello', 'hi')
      const { sessionId } = await agent.prompt('hello')
      const states = [inspect(s.root).project]
      for (let turn = 1; turn <= turns; turn += 1) {
        const file = join(s.root, `turn-${turn}.sh`)
        writeFileSync(file, script(random, Math.ceil(runs / turns)))
        model.on(`turn ${turn}`, [bash(`sh ${file}`), 'done'])
        await agent.prompt(`turn ${turn}`, { resume: sessionId })
        await scansEnd(s)
        states.push(inspect(s.root).project)
      }
      const compare = (before: State, wanted: State): void => {
        const now = inspect(s.root).project
        for (const path of new Set([...now.keys(), ...wanted.keys()])) {
          const lines = [before, now, wanted].map((state) => state.get(path)?.line ?? '')
          // The mode of a directory that stays is not covered (docs/coverage.md), but its existence
          // is.
          const [, is, should] = lines.every((line) => line.startsWith('directory '))
            ? lines.map(() => 'directory')
            : lines
          equal(is, should, JSON.stringify(path))
        }
      }
      for (const [verb, order] of [
        ['undo', states.slice(0, -1).toReversed()],
        ['redo', states.slice(1)],
      ] as const)
        for (const [n, wanted] of order.entries())
          await point(
            () => `${verb} ${n + 1}`,
            async () => {
              const before = inspect(s.root).project
              await retake(verb, '--session', sessionId)
              compare(before, wanted)
              note(`paths compared: ${wanted.size}`)
            },
          )
      note(`changes: ${runs}`)
    },
  },
]
