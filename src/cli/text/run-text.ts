import type { RunEvent } from '#timeline'
import { visible } from '../visible.ts'
import { shorten, type Paint } from './paint.ts'

/** Draws a turn as it runs. Text streams in pieces; everything else gets its own line. */
export function drawRun(
  { paint, project }: { paint: Paint; project: string },
  write: (text: string) => void,
): (event: RunEvent) => void {
  let inText = false
  const line = (text: string): void => {
    write(`${inText ? '\n' : ''}${text}\n`)
    inText = false
  }
  return (event) => {
    switch (event.type) {
      case 'text':
        write(visible(event.text))
        inText = !event.text.endsWith('\n')
        return
      case 'tool':
        return line(stepLine({ ...event, about: event.about.replace(`${project}/`, '') }, paint))
      case 'tool_result':
        if (!event.ok)
          line(paint.removed(`  ${shorten(visible(event.text), paint.width - 4, paint)}`))
        return
      case 'retry':
        return line(
          paint.warning(
            `The model did not answer${event.status === null ? '' : ` (${event.status})`}. ` +
              `Trying again in ${Math.ceil(event.waitMs / 1000)} s (${event.attempt} of ${event.attempts}).`,
          ),
        )
      case 'error':
        return line(paint.removed(visible(event.message)))
      case 'notice':
        return line(paint.warning(visible(event.message)))
      case 'turn_end':
        if (inText) write('\n')
        inText = false
        if (event.outcome === 'interrupted') line(paint.warning('Stopped.'))
        return
      case 'thinking':
      case 'approval':
      case 'approval_answered':
    }
  }
}

function stepLine({ tool, about, by }: Extract<RunEvent, { type: 'tool' }>, paint: Paint): string {
  const indent = by === null ? '' : '  '
  const room = paint.width - tool.length - indent.length - 4
  return `${indent}${paint.accent(paint.signs.active)} ${paint.strong(visible(tool))} ${paint.quiet(shorten(visible(about), room, paint))}`
}
