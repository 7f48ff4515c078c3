import { expect, test, vi } from 'vitest'
import { scene } from '../../scene.ts'
import { reportAttack } from '../report-attack.ts'
import { writeHostileSession } from './hostile-session.ts'

vi.setConfig({ testTimeout: 600_000 })

const STARTS = ['\u001b]', '\u009d', '\u001bP', '\u0090', '\u001b_', '\u009f', '\u001b^', '\u001bX', '\u001b[', '\u009b'] // prettier-ignore
const BODIES = [
  '0;owned', '2;owned', '7;file:///etc/passwd', '8;;http://evil.example', '52;c;b3duZWQ=', '9;4;1;50', '10;?',
  '777;notify;x;y', '1337;File=inline=1:AAAA', '2J', '6n', 'c', '?1049h', '?2004l', '31m', '1;1H', '999D', '5i',
  '>c', '=c', '!p', '20t', '21t', '?25l', '3J', 'K', '4h', '?1000h', '8;50;50t', '2;1$r', '+q544e', '0$}',
] // prettier-ignore
const ENDS = ['\u0007', '\u001b\\', '\u009c', '']
const OTHERS = [
  '\rHIDDEN', 'a\b\b\b', '\u000b\u000c', '\u007f', '\u0000', '\u202eexe.txt', '\u2066x\u2069', '\u200bzero', '\ufeff',
  '\u2028line', '\u2029par', '\u0085nel', '\u001bc', '\u001b#8', '\u001b(0', '\u000e\u000f', '\u0018\u001a', '\ud800', '\u061c',
  '\u00ad', '\u180e', '\u2060', '\u200f', '\u0084', '\u008d', '\u008e',
] // prettier-ignore

/** At least five hundred different ones. */
const PAYLOADS = [
  ...STARTS.flatMap((start) => BODIES.map((body, n) => `${start}${body}${ENDS[n % ENDS.length]}`)),
  ...STARTS.flatMap((start) => BODIES.slice(0, 18).map((body) => `x${start}${body}`)),
  ...OTHERS,
]

/** Characters that a terminal acts on or hides; without a terminal, commands print no colours. */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/

test('[S8] five hundred escapes in every text of a session reach no terminal', async () => {
  expect(PAYLOADS.length).toBeGreaterThanOrEqual(500)
  await using s = await scene()
  const turns = PAYLOADS.map((bad) => ({
    prompt: `say ${bad}`,
    does: [
      {
        answer: `said ${bad}`,
        thinking: bad,
        command: { tool: `Bash${bad}`, text: `echo ${bad}`, says: bad },
        file: { path: `${s.project}/f${bad.replaceAll('/', '')}.txt`, text: `${bad}\n` },
      },
    ],
  }))
  let held = 0
  let tried = 0
  const look = (text: string, what: string): void => {
    tried += 1
    expect(
      UNSEEN.exec(text)?.[0]?.codePointAt(0)?.toString(16),
      `${what}: ${text.slice(0, 300)}`,
    ).toBe(undefined)
    held += 1
  }
  for (let from = 0; from < turns.length; from += 50) {
    const some = turns.slice(from, from + 50)
    const bad = PAYLOADS[from]!
    const id = await writeHostileSession(s, some, { title: `title ${bad}`, branch: `b${bad}` })
    for (const args of [
      ['sessions'],
      ['log'],
      ['tree'],
      ['status'],
      ['status', '--line'],
      ['branches'],
      ['show', '1'],
      ['show', '2'],
      ['undo', '49', '--dry-run'],
      ['undo', '49', '--dry-run', '--json'],
      ['log', '--json'],
      ['show', '3', '--json'],
      ['diff', '0..50'],
      ['compare', '1', '50'],
      ['checkpoints'],
      ['stash'],
      ['op', 'log'],
      ['where', some[0]!.does[0]!.file.path],
    ]) /* prettier-ignore */ {
      const { stdout, stderr } = await s.retake(...args, '--session', id)
      look(stdout + stderr, args.join(' '))
    }
  }
  // Messages repeat what a user was tricked into pasting.
  for (const bad of PAYLOADS.filter((each, n) => n % 25 === 0 && !each.includes('\u0000'))) {
    for (const args of [
      ['show', bad],
      ['log', '--session', bad],
      ['switch', bad],
      ['rewind', bad],
      [`no${bad}`],
    ]) {
      const { stdout, stderr } = await s.retake(...args)
      look(stdout + stderr, JSON.stringify(args))
    }
  }
  reportAttack({
    goals: 'S8',
    attack: `${PAYLOADS.length} terminal escapes in prompts, answers, commands, paths, titles and arguments; the output is searched for them`,
    tried,
    held,
  })
})
