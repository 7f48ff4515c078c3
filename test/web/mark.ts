import type { Locator, Page } from 'playwright-core'

/** An element of the page, and what users can do with it. */
export interface Mark {
  readonly at: Locator
  readonly says: string
}

/** Numbers elements of the current page, and draws the legend into the `free` area. */
export async function markPage(
  page: Page,
  marks: readonly Mark[],
  free: { readonly x: number; readonly y: number; readonly width: number },
): Promise<void> {
  const boxes = await Promise.all(marks.map(({ at }) => at.boundingBox()))
  const drawn = marks.map(({ says }, n) => {
    const box = boxes[n]
    if (box === null || box === undefined) throw new Error(`Not in sight: ${says}`)
    return { says, box }
  })
  await page.evaluate(`(${DRAW})(${JSON.stringify(drawn)}, ${JSON.stringify(free)})`)
}

/** Runs in the page. Sets style properties, because the page's policy blocks style attributes. */
const DRAW = `(drawn, free) => {
  const add = (parent, tag, style, text = '') => {
    const element = document.createElement(tag)
    Object.assign(element.style, style)
    element.textContent = text
    parent.append(element)
    return element
  }
  const colour = '#c2410c'
  const font = 'system-ui, sans-serif'
  const dot = {
    width: '20px', height: '20px', borderRadius: '50%', flex: 'none', textAlign: 'center',
    background: colour, color: '#fff', font: '600 12px/20px ' + font,
  }
  const layer = { position: 'fixed', zIndex: '1000', pointerEvents: 'none' }
  const list = add(document.body, 'div', {
    ...layer, left: free.x + 'px', top: free.y + 'px', width: free.width + 'px',
    display: 'flex', flexDirection: 'column', gap: '9px',
  })
  drawn.forEach(({ says, box }, n) => {
    add(document.body, 'div', {
      ...layer, left: box.x - 3 + 'px', top: box.y - 3 + 'px',
      width: box.width + 6 + 'px', height: box.height + 6 + 'px',
      border: '2px solid ' + colour, borderRadius: '8px', boxSizing: 'border-box',
    })
    const corner = { left: box.x - 12 + 'px', top: box.y - 12 + 'px' }
    add(document.body, 'div', { ...layer, ...dot, ...corner }, n + 1)
    const row = add(list, 'div', { display: 'flex', gap: '8px', alignItems: 'flex-start' })
    add(row, 'span', dot, n + 1)
    add(row, 'span', { font: '13px/20px ' + font }, says)
  })
}`
