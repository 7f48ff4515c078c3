import { expect, test } from 'vitest'
import { restartArguments } from './restart-arguments.ts'

const again = (line: string, prefill: string | null = null): string | null =>
  restartArguments(line.split(' ').filter(Boolean), { session: 'S', prefill })?.join(' ') ?? null

test('[sem.C2] a restart keeps the options, and drops what chose the session and the first prompt', () => {
  expect(again('')).toBe('--resume S')
  expect(again('fix-it')).toBe('--resume S')
  expect(again('-- --model')).toBe('--resume S')
  expect(again('--model opus fix-it')).toBe('--model opus --resume S')
  expect(again('--model=opus fix-it')).toBe('--model=opus --resume S')
  expect(again('-c --permission-mode plan')).toBe('--permission-mode plan --resume S')
  expect(again('--resume OLD --verbose')).toBe('--verbose --resume S')
  expect(again('--resume --verbose')).toBe('--verbose --resume S')
  expect(again('--resume OLD --fork-session fix-it')).toBe('--resume S')
  expect(again('--session-id OLD --add-dir a b --ide fix-it')).toBe(
    '--add-dir a b --ide --resume S',
  )
  expect(again('-w feature --prefill x --debug hooks')).toBe('--debug hooks --resume S')
  expect(again('--prefill=old')).toBe('--resume S')
})

test('[sem.C2] no restart if the arguments are ambiguous', () => {
  for (const line of [
    '-p hi',
    '--print',
    'mcp list',
    'doctor',
    '--bg',
    '--help',
    '--new-flag word',
  ])
    expect(again(line), line).toBe(null)
  expect(again('--new-flag --model opus')).toBe('--new-flag --model opus --resume S')
  // A word that is no command is a prompt, and a command's name behind one is part of it.
  expect(again('please doctor')).toBe('--resume S')
})

test('[sem.C2] a restart passes the undone prompt on unchanged, unless it is too long', () => {
  const made = restartArguments(['--ide'], { session: 'S', prefill: '--x "y"\nz=1' })
  expect(made).toEqual(['--ide', '--resume', 'S', '--prefill=--x "y"\nz=1'])
  expect(again('', 'x'.repeat(200_000))).toBe('--resume S')
})

test('[sem.C2] a restart has the permission mode and the model of the session as it is now', () => {
  const now = (line: string, permissionMode: string | null, model: string | null = null) =>
    restartArguments(line.split(' ').filter(Boolean), {
      session: 'S',
      prefill: null,
      now: { permissionMode, model },
    })?.join(' ')
  expect(now('', null)).toBe('--resume S')
  expect(now('', 'plan')).toBe('--permission-mode plan --resume S')
  expect(now('--permission-mode plan', 'plan')).toBe('--permission-mode plan --resume S')
  expect(now('--permission-mode=plan --ide', 'default')).toBe(
    '--ide --permission-mode default --resume S',
  )
  expect(now('--model opus --ide', null, 'haiku')).toBe('--ide --model haiku --resume S')
  expect(now('--model=opus', null, 'sonnet[1m]')).toBe('--model sonnet[1m] --resume S')
  expect(now('--dangerously-skip-permissions', 'bypassPermissions')).toBe(
    '--dangerously-skip-permissions --resume S',
  )
  // Shift-Tab still leads back to bypassing.
  expect(now('--dangerously-skip-permissions', 'plan')).toBe(
    '--allow-dangerously-skip-permissions --permission-mode plan --resume S',
  )
  expect(now('--allow-dangerously-skip-permissions', 'bypassPermissions')).toBe(
    '--allow-dangerously-skip-permissions --permission-mode bypassPermissions --resume S',
  )
  // A transcript alone does not turn permissions off.
  expect(now('--permission-mode plan', 'bypassPermissions')).toBe(
    '--permission-mode plan --resume S',
  )
})
