import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HELP } from '../../src/cli/commands/chat-slash.ts'
import { slashVerbs } from '../../src/cli/tui/slash.ts'
import { readDocument, root } from './document.ts'

/** The first cells of the tables in a section of docs/keys.md. */
function documented(heading: string): string[] {
  const [, ...rest] = readDocument('docs/keys.md').split(`## ${heading}`)
  const section = rest.join('').split(/^## /m)[0]!
  const cells = [...section.matchAll(/^\| (`.*?`) *\| /gm)].map(([, cell]) => cell!)
  return cells.flatMap((cell) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, key]) => key!.replaceAll('\\|', '|')),
  )
}

function source(file: string): string {
  return readFileSync(join(root, 'src', file), 'utf8')
}

/** As a keyboard calls them, and as people do. */
const CALLED: Readonly<Record<string, string>> = {
  ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc', z: 'Ctrl Z',
  ' ': 'Space', Delete: 'Del', a: 'Ctrl A',
  up: '↑', down: '↓', left: '←', right: '→', escape: 'Esc', enter: 'Enter', tab: 'Tab',
  'back-tab': 'Shift Tab', 'page-up': 'PageUp', 'page-down': 'PageDown', home: 'Home', end: 'End',
} // prettier-ignore

const called = (key: string): string => CALLED[key] ?? key

test('[W21][B13] docs/keys.md has every key that the page listens to, and no other', () => {
  const keys = new Set<string>()
  for (const name of readdirSync(join(root, 'src/web'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name)) continue
    const text = source(`web/${name}`)
    const switches = [...text.matchAll(/switch \((?:event\.)?key\) \{(.*?)\n {2}\}/gs)]
    for (const [, key] of [
      ...text.matchAll(/\bkey(?:\.toLowerCase\(\))? [!=]== '([^']+)'/g),
      ...text.matchAll(/\bshortcut: '([^']+)'/g),
      ...switches.flatMap(([, body]) => [...body!.matchAll(/case '([^']+)':/g)]),
    ])
      keys.add(called(key!))
  }
  expect([...keys].toSorted()).toEqual(documented('On the page').toSorted())
})

test('[W21] docs/keys.md has every key and command of the screen, and no other', () => {
  const names = (file: string, table: string): string[] => {
    const [, body] = source(file).split(`const ${table}: `)
    const text = body!.slice(0, body!.indexOf('\n}'))
    return [...text.matchAll(/^ {2}(?:'([^']+)'|(\w+))(?:: |,)/gm)].map(([, quoted, plain]) =>
      called(quoted ?? plain!),
    )
  }
  const inPlan = ['d', '1', '2', '3', 'y', '↑', '↓']
  const keys = [
    ...names('cli/tui/browse-keys.ts', 'KEYS'),
    ...names('cli/tui/over-keys.ts', 'MOVES'),
  ]
  const commands = Object.values(slashVerbs).map(({ usage }) => usage)
  expect(documented('In `retake tui`').toSorted()).toEqual(
    [...keys, ...inPlan, ...commands].toSorted(),
  )
})

test('[W21] docs/keys.md has the commands of `retake chat`', () => {
  const [, section] = readDocument('docs/keys.md').split('## In `retake chat`')
  for (const [command] of HELP.matchAll(/\/\w+/g)) expect(section).toContain(`\`${command}`)
})
