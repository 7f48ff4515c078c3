import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { record } from '../recording/record.ts'
import { SCREENPLAY } from '../recording/screenplay.ts'
import { readDocument, root } from './document.ts'
import { openShop, runAll } from './run-document.ts'

test('[W21] the recording in the README shows what its commands say today', async () => {
  if (process.env['WRITE'] !== undefined) await record()
  await using shop = await openShop()
  const commands = SCREENPLAY.filter(({ type }) => type !== 'y').map(({ type: text }, line) => {
    return { file: 'screenplay', line, text, says: null }
  })
  const said = await runAll(shop, commands)
  for (const theme of ['light', 'dark']) {
    const path = `docs/pictures/recording-${theme}.svg`
    expect(readDocument('README.md')).toContain(`"${path}"`)
    const shown = linesOf(readFileSync(join(root, path), 'utf8'))
    for (const { text, said: lines } of said)
      for (const line of lines.split('\n').filter(Boolean))
        // In a terminal the plan is shown, and has the notes.
        expect(
          shown.includes(squeeze(line.replace(/^Note: /, ''))),
          `Run \`npm run recording\`: \`${text}\` says “${line}”.`,
        ).toBe(true)
  }
})

/** The text of every line that the picture shows at some time. */
function linesOf(picture: string): string[] {
  const lines = picture.match(/<g class="k\d+">.*<\/g>/g) ?? []
  return lines.map((line) =>
    squeeze(
      line
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&'),
    ),
  )
}

/** The picture places words by columns, so it has other blanks; times differ from run to run. */
function squeeze(text: string): string {
  return text.replaceAll(/\d\d:\d\d|\s+/g, '')
}
