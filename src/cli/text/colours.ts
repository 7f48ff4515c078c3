/** Makes a function that wraps text in one colour or weight of the terminal. */
export function colourer(isOn: boolean): (begin: number, end: number) => (text: string) => string {
  return (begin, end) => {
    if (!isOn) return (text) => text
    const [on, off] = [`\u001B[${begin}m`, `\u001B[${end}m`]
    // Text may contain coloured parts: their end must not end the colour around them. Bold and dim
    // have the same end, which ends both.
    const again = end === BOLD_END ? `${off}${on}` : on
    return (text) => `${on}${text.replaceAll(off, again)}${off}`
  }
}

const BOLD_END = 22
