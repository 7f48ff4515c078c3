import type { DamageReport } from '#timeline'
import { count, type Paint } from './paint.ts'

const WORDS: Record<string, string> = {
  torn: 'an incomplete line',
  'not-json': 'not a row',
  spliced: 'two rows written into each other',
  'nul-bytes': 'zero bytes, as a crash leaves them',
  'too-long': 'a line that is too long',
  'no-object': 'not a row',
  'byte-order-mark': 'a byte order mark',
}

const SHOWN = 5

/** Lists the parts of a transcript that could not be read. */
export function damageText(damage: readonly DamageReport[], paint: Paint): string[] {
  if (damage.length === 0) return []
  const lines = damage
    .slice(0, SHOWN)
    .map(
      ({ offset, length, why }) => `  bytes ${offset} to ${offset + length}: ${WORDS[why] ?? why}`,
    )
  if (damage.length > SHOWN) lines.push(`  and ${count(damage.length - SHOWN, 'more place')}`)
  return ['', paint.warning('Parts of the transcript could not be read:'), ...lines]
}
