import { memberOf, outlineJson, type JsonValue } from './json-outline.ts'

/**
 * Sets one member of a JSON text, in the style of the text around it. All other bytes stay:
 * settings belong to the user, with their indentation, line ends and number spellings.
 */
export function setMember(text: string | null, key: string, value: unknown): string {
  if (text === null) return setMember('{\n}\n', key, value)
  const root = outlineJson(text)
  const style = styleOf(text)
  const there = memberOf(root, key)
  if (there === undefined) return insertPart(text, root, key, value, style)
  const gap = style.flat ? '' : style.newline + lineIndent(text, there.start)
  return spliceText(text, there.start, there.end, print(value, gap, style))
}

export interface Style {
  readonly newline: string
  readonly unit: string
  /** The whole text is on one line. */
  readonly flat: boolean
}

export function styleOf(text: string): Style {
  const root = outlineJson(text)
  const [first] = root.parts
  const gap = first === undefined ? '' : text.slice(root.start + 1, first.start)
  return {
    newline: text.includes('\r\n') ? '\r\n' : '\n',
    unit: /\n([ \t]+)$/.exec(gap)?.[1] ?? '  ',
    flat: first !== undefined && !text.slice(root.start, root.end).includes('\n'),
  }
}

/** Adds a part at the end of a container, in the style of its last part. */
export function insertPart(
  text: string,
  container: JsonValue,
  key: string | null,
  value: unknown,
  style: Style,
): string {
  const last = container.parts.at(-1)
  const name = key === null ? '' : `${JSON.stringify(key)}: `
  if (last === undefined) {
    const outer = lineIndent(text, container.start)
    const gap = style.flat ? '' : style.newline + outer + style.unit
    const isBare = container.end - container.start === 2
    const close = isBare && !style.flat ? style.newline + outer : ''
    const at = container.start + 1
    return spliceText(text, at, at, gap + name + print(value, gap, style) + close)
  }
  const from = container.parts.at(-2)?.value.end ?? container.start
  const white = /\s*$/.exec(text.slice(from, last.start))![0]
  const gap = white.includes('\n') ? style.newline + /[^\n]*$/.exec(white)![0] : white
  const at = last.value.end
  return spliceText(text, at, at, `,${gap}${name}${print(value, gap, style)}`)
}

function print(value: unknown, gap: string, { unit, newline }: Style): string {
  if (!gap.includes('\n')) return JSON.stringify(value)
  const indent = /[^\n]*$/.exec(gap)![0]
  return JSON.stringify(value, null, unit).replaceAll('\n', newline + indent)
}

function lineIndent(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  return /^[ \t]*/.exec(line)![0]
}

export function sliceText(text: string, { start, end }: JsonValue): string {
  return text.slice(start, end)
}

export function spliceText(text: string, from: number, to: number, put = ''): string {
  return text.slice(0, from) + put + text.slice(to)
}
