import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdDecompressSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { bash, edit, write } from '../../model/index.ts'
import { played } from '../../operations/played.ts'
import { serving } from '../../server/serving.ts'
import { reportAttack } from '../report-attack.ts'

vi.setConfig({ testTimeout: 600_000 })

const SECRET_FILES = [
  '.env', '.env.local', 'id_rsa', 'server.pem', 'credentials.json', '.npmrc', '.netrc', 'aws/credentials', 'config/secrets.yml',
  '.git-credentials', 'docker/config.json', 'kubeconfig', 'terraform.tfvars', '.htpasswd', 'token.txt', 'secret.key',
] // prettier-ignore
const canary = (name: string): string => `CANARY-${name.replaceAll(/\W/g, '_')}-END`

test('[S2][S14] canaries in twenty places are in no log, list or figure, and after a purge nowhere in the store', async () => {
  const old = (name: string): string =>
    `KEY=${canary(name)}\n${'# filler\n'.repeat(name.length * 3)}`
  await using p = await played({
    files: Object.fromEntries(SECRET_FILES.map((name) => [name, old(name)])),
    turns: {
      first: 'hi',
      [`${canary('prompt')} please`]: [
        SECRET_FILES.map((name) => write(name, `KEY=other\n${canary(`new ${name}`)}\n`)),
        [bash(`echo ${canary('command')}`)],
        `said ${canary('answer')}`,
      ],
      third: [edit('.env', 'KEY=other', 'KEY=more'), 'ok'],
    },
  })
  await using server = await serving(p.s)
  await server.client.undo({ session: p.id, count: 2 })
  await server.client.redo({ session: p.id, all: true })
  await server.post(`/api/sessions/${p.id}/restore`, { files: [canary('asked')], at: 1 })
  await p.s.retake('show', canary('argument'), '--session', p.id)

  let held = 0
  const clean = (text: string, where: string): void => {
    expect(text.match(/CANARY-\w+-END/g), where).toBe(null)
    held += 1
  }
  const { env } = p.s
  clean(await readFile(join(env['XDG_STATE_HOME']!, 'retake/server.log'), 'utf8'), 'the log')
  for (const name of ['cmdline', 'environ'])
    clean(await readFile(`/proc/${server.child.pid}/${name}`, 'latin1'), name)
  clean(server.talk(), 'what the server said')
  const headers = { Authorization: `Bearer ${server.record.token}` }
  // The list of operations names the prompts and commands, but no content of a file.
  const operations = await (await fetch(`${server.url}/api/operations`, { headers })).text()
  clean(operations.replaceAll(/CANARY-(prompt|command)-END/g, ''), 'operations')
  // Output about a conversation contains its words; these commands are about Retake.
  for (const path of ['/healthz', '/metrics', '/api/figures', '/openapi.json', '/docs', '/'])
    clean(await (await fetch(`${server.url}${path}`, { headers })).text(), path)
  for (const args of [
    ['op', 'log'],
    ['doctor'],
    ['doctor', '--json'],
    ['settings'],
    ['check'],
    ['where', '.env'],
  ]) {
    const { stdout, stderr } = await p.s.retake(...args)
    clean(stdout + stderr, args.join(' '))
  }
  expect(await server.end()).toBe(0)
  for (const name of SECRET_FILES) {
    expect(await holds(env['XDG_DATA_HOME']!, canary(name)), `${name} is kept`).toBe(true)
    expect((await p.s.retake('purge', name, '--yes')).code).toBe(0)
    expect(await holds(env['XDG_DATA_HOME']!, canary(name)), `${name} is purged`).toBe(false)
    expect(await holds(env['XDG_DATA_HOME']!, canary(`new ${name}`)), `${name} is purged`).toBe(
      false,
    )
    held += 1
  }
  reportAttack({ goals: 'S2, S14', attack: `canaries in ${SECRET_FILES.length} files, a prompt, an answer, a command and arguments: searched for in logs, lists, figures and processes, and after a purge in the raw store`, tried: held, held }) // prettier-ignore
})

/** Whether the text is in any unpacked content of a project's store, or in its raw bytes. */
async function holds(data: string, text: string): Promise<boolean> {
  const projects = join(data, 'retake/projects')
  for (const name of await readdir(projects, { recursive: true })) {
    const path = join(projects, name)
    const bytes = await readFile(path).catch(() => Buffer.alloc(0))
    if (bytes.includes(text)) return true
    if (!name.endsWith('store.db')) continue
    using database = new DatabaseSync(path, { readOnly: true })
    for (const row of database.prepare('select encoding, bytes from content').all()) {
      const packed = row['bytes'] as Uint8Array
      const content = row['encoding'] === 'zstd' ? zstdDecompressSync(packed) : Buffer.from(packed)
      if (content.includes(text)) return true
    }
  }
  return false
}
