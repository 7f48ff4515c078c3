import { expect, test, vi } from 'vitest'
import type { PlanView } from '#protocol'
import { wordsForLeft } from '#timeline'
import { bash, read, write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { serving } from '../server/serving.ts'
import { openTui } from '../tui/opened-tui.ts'
import { follow, webBrowser } from './opened.ts'

vi.setConfig({ testTimeout: 120_000 })

const web = webBrowser()
/** Without hooks, the effects of all these commands stay, and the old line endings are unknown. */
const play = playedOnce({
  files: { 'a.txt': 'one\n' },
  turns: {
    first: 'Begun.',
    second: [
      read('a.txt'),
      write('a.txt', 'two\n'),
      ...Array.from({ length: 12 }, (_, i) => bash(`true number ${i + 1}`)),
      'Done.',
    ],
  },
})

/** The words on a surface, without wrapped lines and code marks. */
const plain = (text: string): string => text.replaceAll(/[`\s│❯]+/gu, ' ')
const expectAll = (text: string, named: readonly string[], surface: string): void =>
  expect(
    named.filter((words) => !plain(text).includes(plain(words).trim())),
    surface,
  ).toEqual([])

test('[sem.A5][W16] every surface names all that a plan and its receipt leave', async () => {
  const p = await play()
  const plan = await p.read<PlanView>('undo', '--dry-run')
  const named = [...plan.left.map(wordsForLeft), ...plan.warnings]
  expect(plan.left).toHaveLength(12)
  expect(plan.warnings).toEqual(['a.txt: overwritten; its old line endings were not recorded'])
  const inTerminal = async (...args: string[]): Promise<string> =>
    (await p.s.retake(...args, '--session', p.id)).stdout
  expectAll(await inTerminal('undo', '--dry-run'), named, 'the plan of the command line')
  expectAll(await inTerminal('undo', '--yes'), named, 'its receipt')
  expectAll(await inTerminal('op', 'show', '1'), named, 'its operation')
  await p.run('op', 'undo')

  await using server = await serving(p.s, { env: p.agent.env })
  await using window = await web.open(server, `/s/${p.id}`)
  const { page } = window
  await page.getByText('Done.', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Undo/ }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Not covered').waitFor()
  expectAll(await dialog.innerText(), named, 'the dialog of the page')
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  const notice = page.locator('[data-notices] li', { hasText: 'Undid 1 turn' })
  await notice.waitFor()
  expectAll(await notice.innerText(), named, 'the notice of the page')
  // The focus leaves the button, whose tooltip is open.
  await notice.getByRole('list', { name: 'Left as it is' }).focus()
  await window.expectAccessible('what an undo left')
  await follow(page, '/operations')
  await page.getByRole('article', { name: /^Operation/ }).waitFor()
  expectAll(await page.getByRole('article').innerText(), named, 'the operation on the page')

  await p.run('op', 'undo')
  const t = openTui(p, { rows: 14, columns: 80 })
  await t.shows(/\(current\)/)
  t.press(':')
  await t.shows(/^> \/$/m)
  await t.enter('undo')
  await t.shows(/Press y to continue/)
  await expectScrolled(t, named)
  t.press('y')
  await t.shows(/Undid 1 turn/)
  await expectScrolled(t, named)
  await t.quit()
})

/** Scrolls down until the screen has shown everything. */
async function expectScrolled(
  t: ReturnType<typeof openTui>,
  named: readonly string[],
): Promise<void> {
  const left = new Set(named)
  await t.shows((screen) => {
    for (const words of left) if (plain(screen).includes(plain(words).trim())) left.delete(words)
    if (left.size > 0) t.press('j')
    return left.size === 0
  })
}
