import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { readTree } from '../../house/tree.ts'
import { scene } from '../../scene.ts'
import { reportAttack } from '../report-attack.ts'
import { writeHostileSession } from './hostile-session.ts'

vi.setConfig({ testTimeout: 600_000 })

const TEXT = 'as the transcript says\n'

/** Names that lead out of a project, or to files that no operation may write. */
function hostileNames(project: string, root: string): string[] {
  const up = ['..', '../..', '../../..', './..', 'a/../..', 'a/b/../../..', '..//..', '.././..']
  const out = ['victim.txt', 'outside/victim.txt', 'home/.ssh/authorized_keys', 'home/.bashrc']
  const git = ['.git', '.GIT', '.Git', '.gIt', 'git~1', 'GIT~1', '.git.', '.git ', '.git::$INDEX_ALLOCATION', '.g\u200cit', '.gi\u200dt', '.\u200egit', '.git\u0000', 'sub/.git', 'sub/.GIT', './.git', 'a/../.git', '.git/'] // prettier-ignore
  const inGit = ['hooks/post-checkout', 'config', 'HEAD', 'index', 'objects/victim', 'info/exclude']
  const odd = [
    '', '.', '/', '~/victim.txt', '~root/victim.txt', 'C:\\victim.txt', 'C:victim.txt', '\\\\host\\share\\victim.txt',
    '..\\victim.txt', 'a\\..\\..\\victim.txt', 'CON', 'NUL', 'aux.txt', 'file.txt:stream', 'file.txt::$DATA', 'x'.repeat(300),
    `${'d/'.repeat(2100)}f`, 'a\u0000b', 'a\nb', '\u0000', '-rf', '--help', '$(touch marker)', '`touch marker`', '; touch marker',
    '| touch marker', '%2e%2e%2fvictim.txt', '%252e%252e', '..%2fvictim.txt', '..\u2215victim.txt', '\u2025/victim.txt',
    '\uff0e\uff0e/victim.txt', 'link/victim.txt', 'link/../victim.txt', 'loop/loop/x', 'dev/null', 'file://victim.txt',
    '\ud800', 'caf\u0065\u0301', '.claude/projects/x.jsonl',
  ] // prettier-ignore
  const absolute = [
    '/etc/passwd', '/etc/cron.d/x', '/proc/self/environ', '/proc/self/mem', '/dev/null', '/dev/sda', '/root/.ssh/authorized_keys',
    '//etc/passwd', '/./etc/passwd', '/etc/../etc/passwd',
  ] // prettier-ignore
  return [
    ...up.flatMap((each) => out.map((name) => `${project}/${each}/${name}`)),
    ...up.flatMap((each) => out.map((name) => `${each}/${name}`)),
    ...git.flatMap((each) => inGit.map((name) => `${project}/${each}/${name}`)),
    ...odd.map((name) => `${project}/${name}`),
    ...odd,
    ...out.map((name) => `${root}/${name}`),
    ...absolute,
  ]
}

test('[S9][S10] a transcript that claims files elsewhere makes no operation touch them', async () => {
  await using s = await scene({ files: { 'a.txt': 'a\n', 'sub/b.txt': 'b\n' }, git: true })
  const names = hostileNames(s.project, s.root)
  expect(new Set(names).size).toBeGreaterThanOrEqual(200)
  // The files that the transcript claims really exist: an undo would delete them.
  const victims = ['victim.txt', 'outside/victim.txt', 'home/.ssh/authorized_keys', 'home/.bashrc', 'project/.git/hooks/post-checkout', 'project/.git/objects/victim', 'project/.GIT/config', 'project/sub/.git/config'] // prettier-ignore
  for (const victim of victims) {
    await mkdir(dirname(join(s.root, victim)), { recursive: true })
    await writeFile(join(s.root, victim), TEXT)
  }
  await symlink(join(s.root, 'outside'), join(s.project, 'link'))
  await symlink('loop', join(s.project, 'loop'))
  const passwd = await readFile('/etc/passwd', 'utf8')
  const around = async () => ({
    outside: await readTree(join(s.root, 'outside')),
    ssh: await readTree(join(s.home, '.ssh')),
    victims: await Promise.all(victims.map((victim) => readFile(join(s.root, victim), 'utf8'))),
    passwd: (await readFile('/etc/passwd', 'utf8')) === passwd,
    git: await readTree(join(s.project, '.git')),
  })
  const before = await around()
  let held = 0
  for (let from = 0; from < names.length; from += 20) {
    const some = names.slice(from, from + 20)
    const turns = some.map((path, n) => ({
      prompt: `turn ${n}`,
      does: [{ file: { path, text: TEXT } }],
    }))
    const id = await writeHostileSession(s, [{ prompt: 'start' }, ...turns])
    const force = ['--on-conflict', 'put-back', '--include-unsure', '--yes', '--session', id]
    await s.retake('undo', '20', ...force)
    await s.retake('redo', '--all', ...force)
    await s.retake('revert', '2', ...force)
    await s.retake('rewind', '0', ...force)
    for (const path of some.filter((each) => each !== '' && !each.includes('\u0000')).slice(0, 4))
      await s.retake('restore', '--at', '3', ...force, '--', path)
    const after = await around()
    // The index is identical byte for byte unless git itself rewrote it.
    expect(after, some.join('\n')).toEqual(before)
    held += some.length
  }
  expect(await s.run('ls', [s.project])).not.toMatchObject({
    stdout: expect.stringContaining('marker'),
  })
  reportAttack({ goals: 'S9, S10', attack: 'undo, redo and restore of names in a transcript that lead out of the project or into .git', tried: names.length, held }) // prettier-ignore
})
