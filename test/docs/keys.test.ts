import { expect, test } from 'vitest'
import { HELP } from '../../src/cli/commands/chat-slash.ts'
import { BROWSE_KEYS } from '../../src/cli/tui/browse-keys.ts'
import { PLAN_KEYS, SCREEN_KEYS } from '../../src/cli/tui/help-text.ts'
import { MOVES } from '../../src/cli/tui/overlay-keys.ts'
import { slashVerbs } from '../../src/cli/tui/slash.ts'
import { PAGE_KEYS } from '../../src/web/frame/page-keys.ts'
import { readDocument } from './document.ts'

interface Row {
  readonly keys: readonly string[]
  readonly does: string
}

/** The rows of the tables in a section of docs/keys.md. */
function documented(heading: string): Row[] {
  const [, section] = readDocument('docs/keys.md').split(`## ${heading}\n`)
  const rows = section!.split(/^## /m)[0]!.matchAll(/^\| (`.*?`) *\| (.*?) *\|$/gm)
  return [...rows].map(([, keys, does]) => ({
    keys: [...keys!.matchAll(/`([^`]+)`/g)].map(([, key]) => key!.replaceAll('\\|', '|')),
    does: does!,
  }))
}

test('[W21][B13] docs/keys.md has the table of keys that the page shows', () => {
  expect(documented('On the page')).toEqual(PAGE_KEYS)
})

test('[W21] docs/keys.md has the table of keys and commands that the TUI shows', () => {
  const commands = Object.values(slashVerbs).map(({ usage, does }) => ({ keys: [usage], does }))
  expect(documented('In `retake tui`')).toEqual([...SCREEN_KEYS, ...PLAN_KEYS, ...commands])
})

const CALLED: Readonly<Record<string, string>> = {
  up: '↑', down: '↓', left: '←', right: '→', escape: 'Esc', enter: 'Enter', tab: 'Tab',
  'back-tab': 'Shift Tab', 'page-up': 'PageUp', 'page-down': 'PageDown', home: 'Home', end: 'End',
} // prettier-ignore

test('[W21] the TUI shows every key that it answers to, and no other', () => {
  const answered = [...Object.keys(BROWSE_KEYS), ...Object.keys(MOVES)]
  const shown = SCREEN_KEYS.flatMap(({ keys }) => keys)
  expect(shown.toSorted()).toEqual(answered.map((key) => CALLED[key] ?? key).toSorted())
})

test('[W21] docs/keys.md has the commands of `retake chat`', () => {
  const [, section] = readDocument('docs/keys.md').split('## In `retake chat`')
  for (const [command] of HELP.matchAll(/\/\w+/g)) expect(section).toContain(`\`${command}`)
})
