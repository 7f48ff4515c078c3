import { spokenCall, type VoiceCall } from '#protocol'

/** A command, or that it was not understood: nothing is guessed from half a sentence. */
export type Parsed =
  | { readonly kind: 'call'; readonly call: VoiceCall }
  | { readonly kind: 'unclear'; readonly says: string }

export const EXAMPLES = [
  'go back',
  'undo two turns but keep the files',
  'redo all',
  'rewind to turn 3',
  'switch to main',
  'checkpoint works',
  'status',
  'tell the agent to run the tests',
] as const

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const COUNT = `(?:the )?(?:last |next )?(\\d{1,4}|${NUMBERS.slice(1).join('|')}|an?|couple(?: of)?|a couple(?: of)?) (?:turns?|steps?|rounds?|times?)`
const SCOPES: readonly (readonly [RegExp, 'files' | 'chat'])[] = [
  [
    /[,;]? ?(?:but |and )?(?:keep|leave|without touching|not|without)(?: all)? (?:the |my )?files?(?: alone| as they are)?$/,
    'chat',
  ],
  [
    /[,;]? ?(?:but |and )?(?:keep|leave) (?:the )?(?:chat|conversation)(?: alone| as it is)?$/,
    'files',
  ],
  [/[,;]? ?\(?(?:only|just) (?:the )?(?:chat|conversation)\)?$/, 'chat'],
  [/[,;]? ?(?:the )?(?:chat|conversation) only$/, 'chat'],
  [/[,;]? ?\(?(?:only|just) (?:the )?files\)?$/, 'files'],
  [/[,;]? ?(?:the )?files only$/, 'files'],
]

/** Parses a typed command. It knows few sentences, and matches them only as a whole. */
export function parseCommand(typed: string, agent = 'agent'): Parsed {
  const words = typed.trim().replaceAll(/\s+/g, ' ')
  const call = readPrompt(words, agent) ?? readAnswer(words) ?? readNaming(words) ?? readMove(words)
  if (call !== null) return { kind: 'call', call }
  return { kind: 'unclear', says: `I do not understand “${words}”. ${hint()}` }
}

function hint(): string {
  return `Try “${EXAMPLES.slice(0, 3).join('”, “')}”, or “${EXAMPLES[6]}”.`
}

/** Text for the agent is passed on as it was typed. */
function readPrompt(words: string, agent: string): VoiceCall | null {
  const told = /^(?:tell|ask) (?:the )?([\w-]+)(?: to)?[:,]? (.+)$/i.exec(words)
  const isAgent = ['agent', agent.toLowerCase()].includes(told?.[1]?.toLowerCase() ?? '')
  const prompt = isAgent ? told![2] : /^(?:prompt|say)[:,]? (.+)$/i.exec(words)?.[1]
  return prompt === undefined ? null : { tool: 'converse', prompt }
}

function readAnswer(words: string): VoiceCall | null {
  const text = words.replace(/[.!]$/, '')
  if (/^(?:yes|yes,? (?:please|do it)|ok(?:ay)?|do it|allow|allow it|go ahead)$/i.test(text))
    return { tool: 'answer_approval', allow: true }
  if (/^(?:always allow|allow always|yes,? always)(?: it)?$/i.test(text))
    return { tool: 'answer_approval', allow: true, always: true }
  const no = /^(?:no|deny|deny it|cancel|do not|don['’]t)(?:[,:;]? (?:because )?(.+))?$/i.exec(text)
  if (no === null) return null
  const reason = no[1]
  return { tool: 'answer_approval', allow: false, ...(reason === undefined ? {} : { reason }) }
}

/** Names keep their case, and may have several words. */
function readNaming(words: string): VoiceCall | null {
  const text = words.replace(/[.!]$/, '')
  const checkpoint =
    /^(?:(?:set|make|add) )?(?:a )?checkpoint(?: here)?(?:(?: called| named| as)? ["“']?(.+?)["”']?)?$/i.exec(
      text,
    ) ?? /^(?:remember|name|mark) this(?: turn)? as ["“']?(.+?)["”']?$/i.exec(text)
  if (checkpoint !== null) {
    const name = checkpoint[1]
    return spokenCall({ verb: 'checkpoint', ...(name === undefined ? {} : { name }) })
  }
  const branch =
    /^(?:switch(?: branch)?|change|go)(?: over)? to (?:the )?branch ["“']?(.+?)["”']?$/i.exec(
      text,
    ) ?? /^switch(?: branch)?(?: over)? to ["“']?(.+?)["”']?$/i.exec(text)
  return branch === null ? null : spokenCall({ verb: 'switch', branch: branch[1]! })
}

function readMove(words: string): VoiceCall | null {
  const { rest, only } = takeScope(words.replace(/[.!?]$/, ''))
  const scope = only === undefined ? {} : { only }
  const text = rest.toLowerCase()
  if (/^(?:please )?(?:go )?back(?: please)?$/.test(text))
    return spokenCall(only === 'files' ? { verb: 'undo', count: 1, only } : { verb: 'back' })
  const target = readTarget(rest)
  if (target !== null) return spokenCall({ verb: 'rewind', ...target, ...scope })
  if (/^(?:undo(?: (?:it|that|this))?|take (?:it|that) back)$/.test(text))
    return spokenCall(only === undefined ? { verb: 'undo' } : { verb: 'undo', count: 1, only })
  const back = countAfter(text, '(?:undo|go back|back|take back)')
  if (back !== null) return spokenCall({ verb: 'undo', count: back, ...scope })
  // A spoken redo always brings back files and conversation, so it takes no scope.
  if (only !== undefined) return null
  if (/^redo (?:all|everything|all (?:of )?(?:them|it)|all (?:the )?turns)$/.test(text))
    return spokenCall({ verb: 'redo', all: true })
  if (/^(?:redo(?: (?:it|that|next))?|(?:go )?forward|bring (?:it|that) back)$/.test(text))
    return spokenCall({ verb: 'redo' })
  const forward = countAfter(text, '(?:redo|go forward|forward)')
  if (forward !== null) return spokenCall({ verb: 'redo', count: forward })
  if (
    /^(?:status|where am i|where are we|what(?: is|['’]s) (?:the )?(?:status|going on))$/.test(text)
  )
    return { tool: 'status' }
  return null
}

function takeScope(words: string): { rest: string; only?: 'files' | 'chat' } {
  const text = words.toLowerCase()
  for (const [pattern, only] of SCOPES) {
    const found = pattern.exec(text)
    if (found !== null && found.index > 0) return { rest: words.slice(0, found.index).trim(), only }
  }
  return { rest: words }
}

function countAfter(text: string, verb: string): number | null {
  const plain = new RegExp(`^${verb} (\\d{1,4})$`).exec(text)
  if (plain !== null) return Number(plain[1]) || null
  const counted = new RegExp(`^${verb} ${COUNT}$`).exec(text)
  if (counted !== null) return numberOf(counted[1]!)
  return new RegExp(`^${verb} the last (?:turn|step|round)$`).test(text) ? 1 : null
}

function numberOf(word: string): number | null {
  if (/^\d+$/.test(word)) return Number(word) || null
  if (word.includes('couple')) return 2
  return word === 'a' || word === 'an' ? 1 : NUMBERS.indexOf(word)
}

const TO = '(?:rewind|go(?: back)?|back|return|jump)'

function readTarget(words: string): { turn: number | string; before?: boolean } | null {
  const before = new RegExp(`^${TO} to (?:the moment )?before (.+)$`, 'i').exec(words)
  const after = new RegExp(`^${TO} to (?:after )?(.+)$`, 'i').exec(words)
  const named = (before ?? after)?.[1]
  if (named === undefined) return null
  const turn = turnOf(named)
  return turn === null ? null : { turn, ...(before === null ? {} : { before: true }) }
}

function turnOf(named: string): number | string | null {
  const number = /^(?:turn )?(?:number )?(\d{1,6})$/i.exec(named)?.[1]
  if (number !== undefined) return Number(number)
  const spelt = /^turn ([a-z]+)$/i.exec(named)?.[1]
  if (spelt !== undefined) {
    const value = NUMBERS.indexOf(spelt.toLowerCase())
    return value === -1 ? null : value
  }
  if (/^the (?:beginning|start|first turn)$/i.test(named)) return 1
  return /^(?:the )?(?:checkpoint )?["“']?(.+?)["”']?$/i.exec(named)?.[1] ?? null
}
