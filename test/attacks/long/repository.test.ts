import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { bash, edit, write } from '../../model/index.ts'
import { played } from '../../operations/played.ts'
import { reportAttack } from '../report-attack.ts'

vi.setConfig({ testTimeout: 600_000 })

test('[S11][S12] no command starts the programs that a repository’s configuration names', async () => {
  await using p = await played({
    files: { 'a.txt': 'one\n', 'sub/b.txt': 'b\n' },
    turns: {
      first: 'hi',
      second: [edit('a.txt', 'one', 'ONE'), 'ok'],
      third: [[write('c.txt', 'c\n'), bash('echo x > d.txt')], 'ok'],
    },
  })
  const { s } = p
  const markers = join(s.root, 'markers')
  await mkdir(markers)
  const touch = (name: string): string => `touch ${markers}/${name}`
  const program = async (name: string): Promise<string> => {
    const path = join(s.tmp, name)
    await writeFile(path, `#!/bin/sh\n${touch(name)}\n`, { mode: 0o755 })
    return path
  }
  const included = join(s.tmp, 'included')
  await writeFile(included, `[core]\n\tfsmonitor = ${touch('included')}\n`)
  const keys: Record<string, string> = {
    'core.fsmonitor': touch('fsmonitor'), 'core.hooksPath': s.tmp, 'core.pager': touch('pager'), 'core.editor': touch('editor'),
    'core.sshCommand': touch('ssh'), 'core.gitProxy': touch('proxy'), 'core.askPass': await program('askpass'),
    'core.attributesFile': join(s.tmp, 'attributes'), 'core.excludesFile': join(s.tmp, 'excludes'), 'sequence.editor': touch('sequence'),
    'diff.external': await program('external'), 'diff.x.textconv': touch('textconv'), 'diff.x.command': await program('command'),
    'filter.x.clean': touch('clean'), 'filter.x.smudge': touch('smudge'), 'filter.x.process': touch('process'), 'filter.x.required': 'true',
    'merge.x.driver': touch('driver'), 'merge.tool': 'x', 'mergetool.x.cmd': touch('mergetool'), 'difftool.x.cmd': touch('difftool'),
    'credential.helper': `!${touch('credential')}`, 'gpg.program': await program('gpg'), 'gpg.ssh.program': await program('gpgssh'),
    'commit.gpgSign': 'true', 'alias.status': `!${touch('alias-status')}`, 'alias.log': `!${touch('alias-log')}`, 'include.path': included,
    'includeIf.gitdir:/.path': included, 'trailer.x.command': touch('trailer'), 'uploadpack.packObjectsHook': touch('packhook'),
    'receive.procReceiveRefs': 'refs', 'interactive.diffFilter': touch('difffilter'), 'browser.x.cmd': touch('browser'),
    'man.x.cmd': touch('man'), 'pager.log': touch('pagerlog'), 'web.browser': 'x', 'sendemail.sendmailCmd': touch('sendmail'),
  } // prettier-ignore
  for (const [key, value] of Object.entries(keys)) await s.run('git', ['config', key, value])
  await s.write('.gitattributes', '* filter=x diff=x merge=x\n')
  await writeFile(join(s.tmp, 'attributes'), '* filter=x\n')
  const hooks = ['post-checkout', 'pre-commit', 'post-index-change', 'fsmonitor-watchman', 'reference-transaction', 'post-merge', 'pre-auto-gc'] // prettier-ignore
  for (const hook of hooks) {
    await writeFile(join(s.tmp, hook), `#!/bin/sh\n${touch(hook)}\n`, { mode: 0o755 })
    const inside = join(s.project, '.git/hooks', hook)
    await writeFile(inside, `#!/bin/sh\n${touch(hook)}\n`, { mode: 0o755 })
  }
  // A bare repository in the work tree, which git would use when run inside it.
  const bare = join(s.project, 'sub/bare')
  await mkdir(join(bare, 'objects'), { recursive: true })
  await mkdir(join(bare, 'refs'))
  await writeFile(join(bare, 'HEAD'), 'ref: refs/heads/main\n')
  await writeFile(
    join(bare, 'config'),
    `[core]\n\tbare = false\n\tworktree = ..\n\tfsmonitor = ${touch('bare')}\n`,
  )

  // Proves that the recorder works: git itself starts them.
  await s.run('git', ['status'])
  expect((await readdir(markers)).length).toBeGreaterThan(0)
  for (const name of await readdir(markers)) await s.run('rm', [join(markers, name)])

  const variables = { GIT_DIR: join(s.project, 'sub/bare'), GIT_EXTERNAL_DIFF: await program('envdiff'), GIT_SSH_COMMAND: touch('envssh'), GIT_PAGER: touch('envpager'), PAGER: touch('envpager2'), GIT_EDITOR: touch('enveditor'), GIT_ASKPASS: await program('envask'), GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.fsmonitor', GIT_CONFIG_VALUE_0: touch('envconfig') } // prettier-ignore
  let runs = 0
  await s.retake('install', '--yes')
  for (const env of [{}, variables])
    for (const cwd of [s.project, join(s.project, 'sub'), bare])
      for (const args of [
        ['status'],
        ['log'],
        ['undo', '--yes'],
        ['redo', '--yes'],
        ['undo', '2', '--dry-run'],
        ['rewind', '1', '--exact', '--yes'],
        ['op', 'undo', '--yes'],
        ['restore', 'a.txt', '--at', '1', '--yes'],
        ['op', 'undo', '--yes'],
        ['diff', '0..2'],
        ['check', '--read-data'],
        ['observe'],
        ['doctor'],
      ]) /* prettier-ignore */ {
        await s.retake(...args, '--project', s.project, { env, cwd })
        runs += 1
        expect(await readdir(markers), args.join(' ')).toEqual([])
      }
  const tried = Object.keys(keys).length + hooks.length * 2 + Object.keys(variables).length + 1
  reportAttack({ goals: 'S11, S12', attack: `settings, hooks and variables that make git start programs; ${runs} runs of Retake`, tried, held: tried }) // prettier-ignore
})
