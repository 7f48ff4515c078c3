import { expect, test } from 'vitest'
import { readsOnly } from './reads-only.ts'

test.for([
  'ls',
  'ls -la src && cat a.txt | head -5',
  'git status; git log --oneline -3',
  "grep -rn 'a b' src || echo none",
])('[W16] %s only reads', (command) => {
  expect(readsOnly(command)).toBe(true)
})

test.for([
  '',
  'rm a',
  'echo hi > a',
  'cat a | tee b',
  'ls; touch b',
  'ls & touch b',
  'ls &',
  'cat $(touch b)',
  'cat `touch b`',
  'cat <(touch b)',
  'ls\ntouch b',
  'git checkout .',
  'git',
  'git -c core.pager=x log',
  'git diff --output=b',
  "git diff '--output=b'",
  'git grep -Ovi x',
  'rg --pre ./x a',
  'sort -o a a',
  'find . -delete',
  './ls',
  'X=1 ls',
])('[W16] %j may write', (command) => {
  expect(readsOnly(command)).toBe(false)
})
