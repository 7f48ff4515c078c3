import { expect, test } from 'vitest'
import { add, choose, command, drop, remedy, wordRemedy, type Wording } from './remedy.ts'

const shout: Wording = (act) => (act.act === 'run' ? `run ${act.verb}` : act.act)

test('a remedy keeps its acts as data and its text as text', () => {
  const said = remedy`Finish it, or ${add('only', 'chat')} to move turn ${3}.`
  expect(said).toEqual([
    'Finish it, or ',
    { act: 'add', option: 'only', value: 'chat' },
    ' to move turn 3.',
  ])
  expect(remedy`Turn ${3} of ${'main'}.`).toBe('Turn 3 of main.')
})

test('an act begins with a capital letter only where a sentence begins', () => {
  const say = (said: Parameters<typeof wordRemedy>[0]) => wordRemedy(said, shout)
  expect(say(remedy`${command('check')}.`)).toBe('Run check.')
  expect(say(remedy`Nothing was changed. ${choose}.`)).toBe('Nothing was changed. Choose.')
  expect(say(remedy`Leave it, or ${drop('whole')} (${command('gc')}).`)).toBe(
    'Leave it, or drop (run gc).',
  )
  expect(say('Try again.')).toBe('Try again.')
})
