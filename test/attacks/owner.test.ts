import { spawn } from 'node:child_process'
import {
  chmod,
  mkdir,
  readFile,
  readdir,
  readlink,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { cli, scene, type Scene } from '../scene.ts'
import { serving } from '../server/serving.ts'
import { writeHostileSession } from './long/hostile-session.ts'
import { reportAttack } from './report-attack.ts'
import { needs } from '../needs.ts'

async function modesBelow(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(entry.parentPath, entry.name)
      return [path.slice(root.length + 1), ((await stat(path)).mode & 0o777).toString(8)] as const
    }),
  )
  return Object.fromEntries(found)
}

const play = playedOnce({
  turns: {
    first: 'hi',
    'CANARY-prompt': [write('.env', 'KEY=CANARY-secret\n'), 'CANARY-answer'],
  },
})

test('[S13] only the owner can read what the server writes, with any umask', async () => {
  const p = await play()
  const { env, project } = p.s
  const script = `umask 000; exec "${process.execPath}" "${cli}" serve --json`
  const child = p.s.processes.start('sh', ['-c', script], { cwd: project, env: { ...env } })
  const line = await new Promise<string>((resolve) =>
    child.stdout!.setEncoding('utf8').once('data', resolve),
  )
  const { url, token } = JSON.parse(line) as { url: string; token: string }
  const undo = await fetch(`${url}/api/sessions/${p.id}/undo`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: '{}',
  })
  expect(undo.status).toBe(200)
  let looked = 0
  for (const root of ['XDG_RUNTIME_DIR', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME']) {
    const modes = await modesBelow(join(env[root]!, 'retake'))
    // A file that was moved aside keeps its mode, but its directory is closed to others.
    for (const [path, mode] of Object.entries(modes))
      if (!path.includes('/quarantine/')) {
        expect(`${path} ${mode}`).toMatch(/ [67]00$/)
        looked += 1
      }
  }
  const attack = 'files and directories created with umask 000: who can read them'
  reportAttack({ goals: 'S13', attack, tried: looked, held: looked })
})

needs('linux')(
  '[S2][S14] token and texts are in no argument, environment, log or URL; lines of a secret file are sent only on request',
  async () => {
    const p = await play()
    await using server = await serving(p.s)
    const { token } = server.record
    await server.client.undo({ session: p.id })
    await server.client.redo({ session: p.id })
    await server
      .get(`/api/sessions/${p.id}/turns/${encodeURIComponent('CANARY-nothing')}`)
      .catch(() => {})
    await server.post(`/api/sessions/${p.id}/restore`, { files: ['CANARY-file'], at: 1 })
    const { pid } = server.child
    for (const name of ['cmdline', 'environ'])
      expect(await readFile(`/proc/${pid}/${name}`, 'latin1')).not.toContain(token)
    const log = await readFile(join(p.s.env['XDG_STATE_HOME']!, 'retake/server.log'), 'utf8')
    expect(log).toContain('"did":"undo"')
    expect(log).not.toContain(token)
    expect(log).not.toMatch(/CANARY-(secret|answer|prompt|file)/)
    const answered = JSON.stringify((await server.get('/api/operations')).body)
    expect(answered).not.toContain('CANARY-secret')

    // Wherever a diff is shown, the file's lines are sent only on explicit request.
    const { operation } = await server.client.undo({ session: p.id })
    const plan = await server.client.plan({ session: p.id, verb: 'redo' })
    if (plan.schema !== 'retake.plan/1') throw new Error('nothing planned')
    const at = `/api/sessions/${p.id}`
    const lines = [
      `${at}/turns/2`,
      `${at}/turns/2/since`,
      `${at}/stash/${operation}`,
      `${at}/files/0?turn=2`,
      `${at}/files/0/history`,
      `/api/compare?session=${p.id}&a=1&b=2`,
      `/api/operations/${operation}?session=${p.id}`,
      `/api/plans/${plan.id}/files/0`,
      `/api/plans/${plan.id}/files/0/versions`,
    ]
    for (const path of lines) {
      const { status, body } = await server.get(path)
      expect({ path, status }).toEqual({ path, status: 200 })
      expect(JSON.stringify(body), path).not.toContain('CANARY-secret')
      expect(JSON.stringify(body), path).toContain('"hidden":true')
      const revealed = await server.get(`${path}${path.includes('?') ? '&' : '?'}reveal=yes`)
      // No line of a missing file has an author.
      if (!path.endsWith('/history'))
        expect(JSON.stringify(revealed.body), path).toContain('CANARY-secret')
      expect(JSON.stringify(revealed.body), path).not.toContain('"hidden":true')
    }
    for (const asked of [
      ['show', '2'],
      ['diff', '0..2'],
    ]) {
      const run = (...more: string[]) => p.s.retake(...asked, '--session', p.id, ...more)
      expect((await run()).stdout).toMatch(/^ {2}Not shown: it may contain secrets/m)
      expect((await run('--json')).stdout).not.toContain('CANARY-secret')
      expect((await run('--reveal')).stdout).toContain('+KEY=CANARY-secret')
    }
    for (const asked of [
      ['stash', 'show', String(operation)],
      ['op', 'show', String(operation)],
      ['compare', '1', '2'],
    ]) {
      const { stdout } = await p.s.retake(...asked, '--session', p.id, '--json')
      expect(stdout).toContain('"hidden": true')
      expect(stdout).not.toContain('CANARY-secret')
    }
    const attack =
      'every response and terminal output with lines of files, searched for lines of a secret file'
    reportAttack({ goals: 'S14', attack, tried: lines.length + 5, held: lines.length + 5 })
  },
)

test('[S13] a directory that others can write to, or that leads elsewhere, is not used', async () => {
  await using s = await scene()
  const runtime = join(s.env['XDG_RUNTIME_DIR']!, 'retake')
  await mkdir(join(s.root, 'elsewhere'))
  await symlink(join(s.root, 'elsewhere'), runtime)
  expect(await s.retake('serve', '--json')).toMatchObject({ code: 1 })
  expect(await readdir(join(s.root, 'elsewhere'))).toEqual([])

  await using other = await scene()
  await mkdir(join(other.env['XDG_RUNTIME_DIR']!, 'retake'), { mode: 0o777 })
  await other.run('chmod', ['777', join(other.env['XDG_RUNTIME_DIR']!, 'retake')])
  const { code, stdout } = await other.retake('serve', '--json')
  expect({ code, error: (JSON.parse(stdout) as { code: string }).code }).toEqual({
    code: 1,
    error: 'store-unsafe',
  })

  // The same for the data of a project.
  for (const plant of [
    (place: string) => symlink(join(s.root, 'elsewhere'), place),
    (place: string) => mkdir(place, { mode: 0o777 }).then(() => chmod(place, 0o777)),
  ]) {
    await using planted = await scene()
    const file = { path: join(planted.project, 'a.txt'), text: 'a\n' }
    const id = await writeHostileSession(planted, [
      { prompt: 'hi' },
      { prompt: 'a', does: [{ file }] },
    ])
    await plant(join(planted.env['XDG_DATA_HOME']!, 'retake'))
    const refused = await planted.retake('undo', '--yes', '--json', '--session', id)
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('store-unsafe') })
  }
  expect(await readdir(join(s.root, 'elsewhere'))).toEqual([])
  const attack =
    'links and world-writable directories planted where Retake keeps its record and its store'
  reportAttack({ goals: 'S13', attack, tried: 4, held: 4 })
})

needs('linux')(
  '[S1] the server listens only on loopback addresses, and has no option for others',
  async () => {
    await using s = await scene()
    const options = ['--host', '--bind', '--listen', '--public']
    for (const option of options) expect((await s.retake('serve', option, '0.0.0.0')).code).toBe(2)
    // Commands without a page open no port and leave no process behind.
    const verbs = ['status', 'sessions', 'log', 'doctor', 'settings', 'observe', 'op']
    for (const verb of verbs) await s.retake(verb)
    expect(await s.processes.running()).toEqual([])
    await using server = await serving(s)
    expect(await listening(server.child.pid!)).toEqual(
      ['127.0.0.1', '::1'].slice(0, await addresses()),
    )
    // Other addresses of the machine, as another machine in the network would use them.
    const others = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .filter(({ internal, scopeid = 0 }) => !internal && scopeid === 0)
      .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address))
    for (const address of ['127.0.0.2', ...others]) {
      const page = await fetch(`http://${address}:${server.record.port}/`).catch(() => null)
      expect(page, address).toBeNull()
    }
    const tried = options.length + verbs.length + 1 + others.length + 2
    const attack =
      'options for other addresses, commands that might leave a port open, and other addresses of the machine'
    reportAttack({ goals: 'S1', attack, tried, held: tried })
  },
)

/** Only one on a machine without IPv6. */
async function addresses(): Promise<number> {
  return (await readFile('/proc/net/if_inet6', 'utf8').catch(() => '')).includes(' lo') ? 2 : 1
}

async function listening(pid: number): Promise<string[]> {
  const own = new Set(
    await Promise.all(
      (await readdir(`/proc/${pid}/fd`)).map((fd) =>
        readlink(`/proc/${pid}/fd/${fd}`).catch(() => ''),
      ),
    ),
  )
  const found: string[] = []
  for (const [file, name] of [
    ['tcp', { '0100007F': '127.0.0.1' }],
    ['tcp6', { '00000000000000000000000001000000': '::1' }],
  ] as const)
    for (const line of (await readFile(`/proc/${pid}/net/${file}`, 'utf8')).split('\n').slice(1)) {
      const [, address = '', , state, , , , , , inode] = line.trim().split(/\s+/)
      if (state !== '0A' || !own.has(`socket:[${inode}]`)) continue
      found.push((name as Record<string, string>)[address.split(':')[0]!] ?? address)
    }
  return found
}

needs('readable-clone')(
  '[S2][S13] another user of the machine finds neither record nor token, and is refused',
  async () => {
    await using s = await scene()
    await using server = await serving(s)
    // Open the directories above, so that only Retake's own modes keep others out.
    await s.run('chmod', ['755', s.root, s.home])
    await s.run('chmod', ['711', s.env['XDG_RUNTIME_DIR']!])
    const seen = await asAnother(
      s,
      `
    const { readFileSync } = await import('node:fs')
    const tries = [${JSON.stringify(join(s.env['XDG_RUNTIME_DIR']!, 'retake/server.json'))}, '/proc/${server.child.pid}/environ', '/proc/${server.child.pid}/fd/0']
    const read = tries.map((path) => { try { return String(readFileSync(path)) } catch (error) { return error.code } })
    const answer = await fetch('${server.url}/api/sessions')
    console.log(JSON.stringify({ read, status: answer.status }))
  `,
    )
    const { read, status } = JSON.parse(seen) as { read: string[]; status: number }
    expect(status).toBe(401)
    // Only root can become another user; without root, the modes tested above must suffice.
    if (process.getuid?.() === 0) expect(read).toEqual(['EACCES', 'EACCES', 'EACCES'])
    const attack =
      'another user of the machine tries the record, the environment, open files and the port'
    reportAttack({ goals: 'S2, S13', attack, tried: 4, held: 4 })
  },
)

/** Runs a script as the user `nobody`, if possible. */
function asAnother(s: Scene, script: string): Promise<string> {
  const as = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: '/',
      env: { PATH: s.env['PATH']! },
      ...as,
    })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
    child.stderr.setEncoding('utf8').on('data', (part: string) => (text += part))
    child.once('error', reject)
    child.once('close', () => resolve(text))
  })
}

test('a record planted by another user is ignored', async () => {
  await using s = await scene()
  const runtime = join(s.env['XDG_RUNTIME_DIR']!, 'retake')
  await mkdir(runtime, { mode: 0o700 })
  const planted = {
    schema: 'retake.server/1',
    url: 'http://127.0.0.1:1',
    port: 1,
    token: 'x',
    pid: 1,
  }
  await writeFile(join(runtime, 'server.json'), JSON.stringify(planted), { mode: 0o600 })
  await using server = await serving(s)
  expect(server.record.port).not.toBe(1)
  expect(JSON.parse(await readFile(join(runtime, 'server.json'), 'utf8'))).toEqual(server.record)
  reportAttack({
    goals: 'S13',
    attack: 'a server record planted by another user',
    tried: 1,
    held: 1,
  })
})
