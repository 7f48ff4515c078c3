import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pastTense, reopenWords } from '#protocol'
import { record } from '../recording/record.ts'
import { SCREENPLAY } from '../recording/screenplay.ts'
import { readDocument, root } from './document.ts'
import { openShop, runAll } from './run-document.ts'

const PICTURES = ['light', 'dark'].map((theme) => `docs/pictures/recording-${theme}.svg`)

test('[W21] the recording in the README shows the current output of its commands', async () => {
  for (const path of PICTURES) expect(readDocument('README.md')).toContain(`"${path}"`)
  await using shop = await openShop()
  const commands = SCREENPLAY.filter(({ type }) => type !== 'y').map(({ type: text }, line) => {
    return { file: 'screenplay', line, text, says: null }
  })
  const said = (await runAll(shop, commands)).flatMap((command) => command.said.split('\n'))
  const missing = PICTURES.flatMap((path) => {
    const shown = linesOf(readFileSync(join(root, path), 'utf8'))
    // In a terminal the plan is shown, with its notes.
    return said.filter((line) => !shown.has(squeeze(line.replace(/^Note: /, ''))))
  })
  // Only if something changed, because each recording has other times.
  if (process.env['WRITE'] !== undefined && missing.length > 0) await record()
  else expect(missing, 'Run `npm run recording`.').toEqual([])
})

test('[W21] the recording of an undo in the same terminal shows the current words', () => {
  const done = { verb: 'undo', turnsUndone: 1, turnsRedone: 0, filesReverted: [], to: null }
  const reopened = reopenWords({ state: 'reopened' }, { agent: 'Claude Code', turn: '1' })
  for (const theme of ['light', 'dark']) {
    const path = `docs/pictures/in-place-${theme}.svg`
    expect(readDocument('README.md')).toContain(`"${path}"`)
    const shown = [...linesOf(readFileSync(join(root, path), 'utf8'))].join('\n')
    for (const words of [
      pastTense(done),
      reopened,
      '❯ /retake:undo',
      '❯ Show the price in dollars',
    ])
      expect(shown, 'Run `npm run recording`.').toContain(squeeze(words))
  }
})

/** The text of every line that the picture shows at any time, and the empty line. */
function linesOf(picture: string): Set<string> {
  const lines = picture.match(/<g class="k\d+">.*<\/g>/g) ?? []
  const texts = lines.map((line) =>
    line
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&'),
  )
  return new Set(['', ...texts].map(squeeze))
}

/** The picture places words by columns, so its spaces differ; times differ from run to run. */
function squeeze(text: string): string {
  return text.replaceAll(/\d\d:\d\d|\s+/g, '')
}
