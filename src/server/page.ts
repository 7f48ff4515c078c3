/**
 * The page that everybody may load: it holds no data. With a launch code behind the `#` it gets
 * the token, keeps it for this tab and lists the sessions; without one it says what to do. Texts
 * from transcripts become text nodes and nothing else.
 */
const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Retake</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
<script src="/page.js" defer></script>
</head>
<body>
<main>
<h1>Retake</h1>
<p>Undo, redo and branches for coding-agent sessions: conversation and files together, and nothing lost on the way.</p>
<p id="state" role="status">To come in, run <code>retake</code> in a terminal and open the link it prints.</p>
<ul id="sessions" hidden></ul>
<p class="quiet"><a href="/docs">The API</a></p>
</main>
</body>
</html>
`

const css = `:root { color-scheme: light dark; --back: #fbfaf8; --text: #22201d; --quiet: #6b655d; --line: #e4dfd7; --link: #0b5cad }
@media (prefers-color-scheme: dark) { :root { --back: #191817; --text: #ece8e1; --quiet: #a39c92; --line: #35322e; --link: #7db8f5 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.55 system-ui, sans-serif }
main { max-width: 46rem; margin: 0 auto; padding: 3rem 1.25rem }
h1 { font-size: 1.6rem; margin: 0 0 .75rem } h2 { font-size: 1.1rem; margin: 2rem 0 .25rem }
a { color: var(--link) }
code, pre { font: .9em ui-monospace, monospace }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); border-radius: 6px }
ul { list-style: none; padding: 0 } li { padding: .5rem 0; border-top: 1px solid var(--line) }
.quiet { color: var(--quiet); font-size: .9rem }
`

const js = `'use strict'
const state = document.getElementById('state')
const list = document.getElementById('sessions')
const say = (text) => { state.textContent = text }

async function launch() {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (code === null) return sessionStorage.getItem('token')
  history.replaceState(null, '', '/')
  const answer = await fetch('/api/launch', {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ code }),
  })
  const said = await answer.json()
  if (answer.ok) sessionStorage.setItem('token', said.token)
  else say(said.message + ' ' + (said.hint ?? ''))
  return answer.ok ? said.token : null
}

async function show(token) {
  const answer = await fetch('/api/sessions', { headers: { Authorization: 'Bearer ' + token } })
  if (answer.status === 401) { sessionStorage.removeItem('token'); return }
  const { sessions } = await answer.json()
  say(sessions.length === 0 ? 'There are no sessions on this machine yet.' : 'The sessions of this machine:')
  list.replaceChildren(...sessions.slice(0, 200).map(({ title, project, updatedAt }) => {
    const item = document.createElement('li')
    const about = document.createElement('div')
    about.className = 'quiet'
    about.textContent = [project, new Date(updatedAt).toLocaleString()].filter(Boolean).join(' · ')
    item.append(title, about)
    return item
  }))
  list.hidden = false
}

launch().then((token) => token === null ? undefined : show(token)).catch(() => say('The server does not answer. Run retake again.'))
`

export const page: Readonly<Record<string, { readonly type: string; readonly text: string }>> = {
  '/': { type: 'text/html; charset=utf-8', text: html },
  '/page.css': { type: 'text/css; charset=utf-8', text: css },
  '/page.js': { type: 'text/javascript; charset=utf-8', text: js },
}
