import type { Act, Option, Wording } from '#failure'
import { verbOf, verbsOn, type VerbOn } from './commands/command.ts'
import { dashed } from './commands/typed-line.ts'

/** Flags whose names differ from their options. */
const FLAGS: Partial<Record<Option, string>> = { confirmed: 'yes' }

function flagOf(option: Option, value: string | true | null = null): string {
  const name = FLAGS[option] ?? dashed(option)
  return value === null || value === true ? `--${name}` : `--${name} ${quoted(value)}`
}

/** Quotes an argument for a shell. */
function quoted(text: string): string {
  if (/^[\p{L}\p{N}_./:@%+=,~-]+$/u.test(text)) return text
  return `"${text.replaceAll(/["\\$`]/g, String.raw`\$&`)}"`
}

type Run = Extract<Act, { act: 'run' }>

/** The command line for it: `retake redo --only files`. */
function commandFor({ verb, args, options }: Run): string {
  return ['retake', verb, ...args.map(quoted), ...flagsOf(options)].join(' ')
}

function flagsOf(options: Run['options']): string[] {
  return Object.entries(options).map(([name, value]) => flagOf(name as Option, value))
}

const listed = (options: readonly Option[]): string =>
  options.map((option) => `\`${flagOf(option)}\``).join(' and ')

/** For typed lines: `/redo 2` in the terminal UI, `/retake:redo 2` inside the agent. */
export function inTypedLine(prefix: string, surface: 'slash' | 'inside'): Wording {
  return (act) => {
    switch (act.act) {
      case 'run': {
        const { verb, args, options } = act
        const takes = verbsOn(surface).includes(verb as VerbOn<typeof surface>)
          ? verbOf(verb as VerbOn<typeof surface>).takes
          : {}
        const isTyped = verb in TYPED_ALWAYS || Object.keys(takes).length > 0
        if (!isTyped || Object.keys(options).some((name) => !(name in takes)))
          return inTerminal(act)
        return `type ${[`${prefix}${verb}`, ...args, ...flagsOf(options)].join(' ')}`
      }
      case 'add':
        return `type the command again with \`${flagOf(act.option, act.value)}\``
      case 'drop':
        return `type the command again without ${listed(act.options)}`
      case 'choose':
        return inTerminal(act)
    }
  }
}

/** Can be typed on both surfaces, but is not in the table of changes. */
const TYPED_ALWAYS: Readonly<Record<string, true>> = { log: true }

/** For the command line. */
export const onCommandLine: Wording = (act) => {
  switch (act.act) {
    case 'run':
      return `run \`${commandFor(act)}\``
    case 'add':
      return `add \`${flagOf(act.option, act.value)}\``
    case 'drop':
      return `leave out ${listed(act.options)}`
    case 'choose':
      return 'choose with `--on-conflict keep-mine`, `put-back` or `mark`'
  }
}

/** For a surface that lacks the command or the option. */
export const inTerminal: Wording = (act) => {
  switch (act.act) {
    case 'run':
      return `run \`${commandFor(act)}\` in a terminal`
    case 'add':
      return `use the command line with \`${flagOf(act.option, act.value)}\``
    case 'drop':
      return `use the command line without ${listed(act.options)}`
    case 'choose':
      return 'decide each conflict on the command line'
  }
}

/** For programs that send requests: options are fields of the body. */
export const inRequest: Wording = (act) => {
  switch (act.act) {
    case 'run':
      return onCommandLine(act)
    case 'add':
      return `send \`"${act.option}": ${JSON.stringify(act.value ?? true)}\``
    case 'drop':
      return `leave out ${act.options.map((option) => `\`"${option}"\``).join(' and ')}`
    case 'choose':
      return 'send `choices` with POST /api/plans/PLAN/apply: for each file keep-mine, put-back or mark'
  }
}
