import { expect, test } from 'vitest'
import { mayTouchGit } from './may-touch-git.ts'

test('[sem.K3] commands that may delete git objects are distinguished from those that do not', () => {
  const risky = [
    'rm -rf .git f.txt',
    'rm -rf ./.git && git init',
    'mv .git /tmp/elsewhere',
    'git commit --amend -qm x; git reflog expire --expire=now --all; git gc --prune=now',
    'git -C . gc',
    'git prune',
    'git filter-branch --tree-filter "rm x" HEAD',
    'rm -rf .',
    'rm -r -f "$DIR"',
    'rm -fr /home/ada/project',
    'find . -delete',
  ]
  const plain = [
    'git status',
    'git commit -qam "fix gc"',
    'git checkout -- f.txt',
    'rm -rf build node_modules',
    'rm f.txt',
    'cat .gitignore',
    'echo hi > .github/x',
    'npm test',
  ]
  expect(risky.filter((command) => !mayTouchGit(command))).toEqual([])
  expect(plain.filter(mayTouchGit)).toEqual(['git commit -qam "fix gc"'])
})
