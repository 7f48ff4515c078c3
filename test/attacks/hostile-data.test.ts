import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { buildPage } from '../../scripts/build-page.ts'
import { edit, write } from '../model/index.ts'
import { played } from '../operations/played.ts'
import { serving } from '../server/serving.ts'
import { reportAttack } from './report-attack.ts'

/** Records every outgoing connection of the process and every program it starts. */
const WITNESS = `
import { appendFileSync } from 'node:fs'
import { Socket } from 'node:net'
import dns from 'node:dns'
import dgram from 'node:dgram'
import { syncBuiltinESMExports } from 'node:module'
import children from 'node:child_process'
const note = (what, about) => appendFileSync(process.env.WITNESS, what + ' ' + JSON.stringify(about) + '\\n')
const connect = Socket.prototype.connect
Socket.prototype.connect = function (...args) { note('connect', String(JSON.stringify(args)).slice(0, 200)); return connect.apply(this, args) }
const { lookup } = dns
dns.lookup = (host, ...rest) => { if (!['127.0.0.1', '::1'].includes(host)) note('dns', host); return lookup(host, ...rest) }
dns.resolve = (host) => note('dns', host)
dgram.createSocket = () => { note('udp', ''); throw new Error('no') }
for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'])
  children[name] = (...args) => { note(name, args[0]); throw new Error('no') }
syncBuiltinESMExports()
`

test('[S9][S10][S11][S12][S16] a hostile transcript in a hostile repository: nothing is written elsewhere, started or fetched', async () => {
  await using p = await played({
    files: { 'a.txt': 'one\n', '.envrc': 'safe\n' },
    turns: {
      first: 'hi',
      second: [write('target.txt', 'PWNED\n'), edit('a.txt', 'one', 'ONE'), 'ok'],
    },
  })
  const { s } = p
  // A colleague's session that claims writes to forbidden places.
  const { path, bytes } = await p.agent.transcript(p.id)
  const victims = [
    join(s.home, '.ssh/authorized_keys'),
    join(s.project, '.git/hooks/post-checkout'),
    join(s.project, '../escaped.txt'),
    '/proc/self/environ',
  ]
  const hostile: string[] = []
  for (const victim of victims) {
    const id = randomUUID()
    const text = Buffer.from(bytes)
      .toString('utf8')
      .replaceAll(join(s.project, 'target.txt'), victim)
      .replaceAll('"target.txt"', JSON.stringify(victim))
      .replaceAll(p.id, id)
    await writeFile(path.replace(p.id, id), text)
    hostile.push(id)
  }
  const marker = join(s.root, 'marker')
  const run = `touch ${marker}`
  for (const [key, value] of Object.entries({
    'core.fsmonitor': run,
    'core.hooksPath': s.tmp,
    'diff.external': run,
    'core.pager': run,
    'core.editor': run,
    'core.sshCommand': run,
    'filter.x.clean': run,
    'filter.x.smudge': run,
    'filter.x.process': run,
    'core.gitProxy': run,
    'credential.helper': `!${run}`,
    'alias.status': `!${run}`,
  }))
    // prettier-ignore
    await s.run('git', ['config', key, value])
  await s.write('.gitattributes', '* filter=x diff=x\n')
  await mkdir(join(s.home, '.ssh'))

  const witness = join(s.root, 'witness')
  await writeFile(witness, '')
  const env = {
    WITNESS: witness,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(WITNESS)}`,
    GIT_DIR: join(s.root, 'not-a-repository'),
  }
  // Proves that the recorder works.
  const loud = `try { process.getBuiltinModule('child_process').spawnSync('true') } catch {} fetch('http://127.0.0.1:59999').catch(() => {})`
  await s.run(process.execPath, ['-e', loud], { env })
  expect(await readFile(witness, 'utf8')).toMatch(/^spawnSync "true"\nconnect .*127\.0\.0\.1/)
  await writeFile(witness, '')

  await using server = await serving(s, { env })
  for (const session of [p.id, ...hostile]) {
    const at = `/api/sessions/${session}`
    for (const part of [
      '',
      '/turns',
      '/turns/2',
      '/messages',
      '/tree',
      '/leaves',
      '/branches',
      '/stash',
    ])
      expect((await server.get(`${at}${part}`)).status).toBe(200)
    for (const [verb, body] of [
      ['undo', {}],
      ['redo', {}],
      ['undo', { onConflict: 'put-back', includeUnsure: true, confirmed: true }],
      ['redo', { onConflict: 'put-back', confirmed: true }],
      ['revert', { turn: 2 }],
      ['revert', { turn: 2, off: true }],
      ['rewind', { turn: 0 }],
      ['rewind', { turn: 2 }],
      ['restore', { files: victims, at: 2 }],
      ['restore', { files: ['../escaped.txt', '.git/hooks/post-checkout'], at: 2 }],
    ] as const)
      // prettier-ignore
      expect((await server.post(`${at}/${verb}`, body)).status).toBeLessThan(500)
  }
  expect((await server.get('/api/figures')).status).toBe(200)
  expect(await readdir(join(s.home, '.ssh'))).toEqual([])
  const entries = await readdir(s.root)
  expect(entries).not.toContain('escaped.txt')
  expect(entries).not.toContain('marker')
  expect(await readdir(join(s.project, '.git/hooks'))).not.toContain('post-checkout')
  expect(await s.read('.envrc')).toBe('safe\n')
  // It reads attributes of files that the plan names; any other program would be an attack.
  const started = (await readFile(witness, 'utf8')).split('\n')
  expect(started.filter((line) => !/^(?:spawnSync "\/usr\/bin\/getfattr")?$/.test(line))).toEqual(
    [],
  )
  const attack =
    'sessions that claim to have written keys and hooks, requested by every route: resulting connections, programs and files'
  reportAttack({ goals: 'S9, S10, S12, S16', attack, tried: hostile.length * 18, held: hostile.length * 18 }) // prettier-ignore
})

test('[S7][S18] texts of a transcript are sent as JSON that no browser renders as a page', async () => {
  await buildPage()
  const bad = '<img src=x onerror=alert(1)><script>alert(1)</script>'
  await using p = await played({
    turns: {
      first: 'hi',
      [bad]: [write('<b>.txt', bad), `</script>${bad} retake.receipt/1 "turnsUndone":99`],
    },
  })
  await using server = await serving(p.s)
  const headers = { Authorization: `Bearer ${server.record.token}` }
  const seen = ['/', '/docs', '/page.js', '/page.css', '/openapi.json', '/metrics', '/nowhere', '/api/sessions',
    ...['', '/turns', '/turns/2', '/messages', '/tree', '/leaves'].map((part) => `/api/sessions/${p.id}${part}`)] // prettier-ignore
  for (const path of seen) {
    const answer = await fetch(`${server.url}${path}`, { headers })
    const get = (name: string) => answer.headers.get(name)
    const text = await answer.text()
    expect(get('Content-Security-Policy'), path).toContain("default-src 'none'")
    expect(get('Content-Security-Policy')).toContain("require-trusted-types-for 'script'")
    expect(get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
    expect([get('X-Content-Type-Options'), get('Cross-Origin-Opener-Policy'), get('Cross-Origin-Resource-Policy'), get('Cache-Control'), get('Referrer-Policy')]).toEqual(['nosniff', 'same-origin', 'same-origin', 'no-store', 'no-referrer']) // prettier-ignore
    expect(get('Set-Cookie')).toBeNull()
    expect(get('Access-Control-Allow-Origin')).toBeNull()
    if (get('Content-Type')!.includes('html')) {
      expect(text).not.toContain('alert(1)')
      expect(text).not.toMatch(/<script>|<style|\son\w+=|(?:src|href)="(?!\/(?!\/)|data:,|#)/i)
    } else if (path.startsWith('/api')) expect(get('Content-Type')).toBe('application/json')
  }
  const attack = 'responses with markup, and what a browser may do with them'
  reportAttack({ goals: 'S7', attack, tried: seen.length, held: seen.length })
  // An operation is described by Retake's own words, not by the agent's.
  expect(await server.client.undo({ session: p.id })).toMatchObject({ turnsUndone: 1 })
})
