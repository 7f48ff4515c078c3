// Finds sections that contain all words. The index is a script, so that search also works if the
// site is opened from a directory.
const input = document.querySelector('input[type=search]')
const list = document.querySelector('#results')
const { base } = document.documentElement.dataset
let loading = null

function load() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `${base}/search-index.js`
    script.addEventListener('load', () => resolve(globalThis.searchIndex))
    script.addEventListener('error', reject)
    document.head.append(script)
  })
  return loading
}

function score({ page, title, text }, words) {
  let sum = 0
  for (const word of words) {
    const inTitle = title.toLowerCase().indexOf(word)
    const inPage = page.toLowerCase().includes(word)
    const inText = text.toLowerCase().includes(word)
    if (inTitle < 0 && !inPage && !inText) return 0
    sum += (inTitle === 0 ? 12 : inTitle > 0 ? 8 : 0) + (inPage ? 3 : 0) + (inText ? 1 : 0)
  }
  return sum
}

function excerpt(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 40)
  return `${at > 0 ? '…' : ''}${text.slice(at, at + 120)}`
}

function row({ url, page, title, text }, word) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = `${base}/${url}`
  const name = document.createElement('strong')
  name.textContent = page === title ? title : `${page} › ${title}`
  const words = document.createElement('span')
  words.textContent = excerpt(text, word)
  link.append(name, words)
  item.append(link)
  return item
}

async function search() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
  list.hidden = words.length === 0
  if (words.length === 0) return
  const found = (await load())
    .map((entry) => ({ entry, points: score(entry, words) }))
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points)
    .slice(0, 12)
  list.replaceChildren(...found.map(({ entry }) => row(entry, words[0])))
  if (found.length === 0) list.append('Nothing found.')
}

input.addEventListener('focus', () => void load())
input.addEventListener('input', () => void search())
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== input) {
    event.preventDefault()
    input.focus()
  }
  if (event.key === 'Escape') list.hidden = true
  if (event.key === 'Enter' && document.activeElement === input) list.querySelector('a')?.click()
})
document.addEventListener('click', (event) => {
  if (!event.target.closest('.search')) list.hidden = true
})
// On a narrow screen the contents would push the page down.
if (matchMedia('(width < 56rem)').matches) document.querySelector('nav details').open = false
