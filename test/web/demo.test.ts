import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { parseView } from '../cli/schemas.ts'
import { openClient, type ServerView } from '#protocol'
import { cli, scene } from '../scene.ts'
import { webBrowser } from './opened.ts'

const web = webBrowser()

test('in the demo a newcomer undoes, redoes and switches, files change, and none of the user’s data is shown', async () => {
  await using s = await scene()
  const child = s.processes.start(process.execPath, [cli, 'demo', '--json'], {
    cwd: s.project,
    env: s.env,
  })
  let talk = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (talk += text))
  const line = await new Promise<string>((resolve) =>
    child.stdout!.setEncoding('utf8').once('data', resolve),
  )
  const { url, token } = parseView<ServerView>(line)
  const client = openClient({ origin: url, token })
  const { sessions } = await client.sessions({})
  expect(sessions).toHaveLength(1)
  const id = sessions[0]!.id
  const project = sessions[0]!.project!
  expect(talk).toContain(project)
  const auth = () => readFile(join(project, 'src/auth.ts'), 'utf8')
  await using window = await web.open({ url, client }, `/s/${id}`)
  const { page } = window
  await page.getByText('Failed logins are logged').waitFor()
  expect(await auth()).toContain('unknown user')
  // A line belongs to the turn that wrote it, even if another branch changed the same file.
  const at = (await client.moments({ session: id })).files.indexOf('src/auth.ts')
  const { lines, versions } = await client.fileHistory({ session: id, file: String(at) })
  const writer = (words: string) => {
    const { from } = lines!.find(({ text }) => text.includes(words))!
    return versions.find(({ seq }) => seq === from)?.turn?.prompt ?? from
  }
  expect(writer('unknown user')).toBe('Log every failed login')
  expect(writer('export function login(')).toBe('before')
  expect(writer('scryptSync(password')).toBe('Hash passwords with scrypt instead of md5')
  await page.getByRole('article', { name: /Log every failed login/ }).focus()
  await page.keyboard.press('u')
  await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('1 turn undone').first().waitFor()
  expect(await auth()).not.toContain('unknown user')
  await page.getByRole('button', { name: /^Redo next/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Redo' }).click()
  await page.getByText('Redid 1 turn', { exact: true }).waitFor()
  expect(await auth()).toContain('unknown user')
  const other = page.getByRole('article', { name: /Use server sessions/ })
  await other.focus()
  // Their heights are unknown until then.
  const read = Promise.withResolvers<void>()
  await page.route(/\/api\/sessions\/[^/]+\/turns\/[^/]+$/, async (route) => {
    await read.promise
    await route.continue()
  })
  await page.keyboard.press('b')
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('button', { name: 'Switch to this branch' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Switch', exact: true }).click()
  await page.getByRole('article', { name: /Add refresh tokens/ }).waitFor()
  read.resolve()
  const answer = page.getByText('Tokens live for 15 minutes')
  await answer.waitFor()
  // The turn that was in sight is on the other branch; the list goes to the branch's last turn.
  await expect.poll(() => isInSight(answer)).toBe(true)
  expect(await readFile(join(project, 'src/jwt.ts'), 'utf8')).toContain('900')
  await rm(join(project, '..'), { recursive: true, force: true })
})

async function isInSight(place: Locator): Promise<boolean> {
  const [box, size] = [await place.boundingBox(), place.page().viewportSize()]
  return box !== null && size !== null && box.y >= 0 && box.y + box.height <= size.height
}
