import type { Page } from 'playwright-core'

/** Simulates pasting or dropping a picture or another file. */
export const giveFile = (page: Page, how: 'paste' | 'drop', name: string, type: string) =>
  page.evaluate(
    `new Promise((done) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 40, height: 20 })
      canvas.getContext('2d').fillRect(0, 0, 20, 20)
      canvas.toBlob((blob) => {
        const data = new DataTransfer()
        data.items.add(new File([blob], '${name}', { type: '${type}' }))
        const made = '${how}' === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
        document.querySelector('[data-prompt]').dispatchEvent(made)
        done(null)
      })
    })`,
  )
