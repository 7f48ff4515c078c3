import { create } from 'zustand'

/** What the user decided about this page; it stays in the browser. */
export interface Preferences {
  readonly theme: 'auto' | 'light' | 'dark'
  /** Single keys act without Ctrl; speech input and switch devices may press them by accident. */
  readonly singleKeys: boolean
  /** Ctrl-Z and Ctrl-Shift-Z plan an undo and a redo; off, as nobody expects them in a page. */
  readonly undoKeys: boolean
  /** The offer to install hooks was turned down. */
  readonly hooksDeclined: boolean
  /** The voice log beside the turns is folded away. */
  readonly voiceLogFolded: boolean
  /** Speaking needs no key to be held. */
  readonly handsFree: boolean
  /** The microphone that was chosen; null: the browser's. */
  readonly microphone: string | null
  /** How a click on a file opens it. */
  readonly editor: 'none' | 'vscode' | 'cursor' | 'windsurf' | 'zed' | 'idea'
}

const KEY = 'retake.preferences'
const DEFAULTS: Preferences = {
  theme: 'auto',
  singleKeys: true,
  undoKeys: false,
  hooksDeclined: false,
  voiceLogFolded: false,
  handsFree: false,
  microphone: null,
  editor: 'vscode',
}

export const usePreferences = create<Preferences>(() => ({ ...DEFAULTS, ...stored() }))

export function prefer(change: Partial<Preferences>): void {
  usePreferences.setState(change)
  localStorage.setItem(KEY, JSON.stringify(usePreferences.getState()))
}

function stored(): Partial<Preferences> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>
  } catch {
    return {}
  }
}

/** Keeps the document in the theme that was chosen, or that the system has. */
export function followTheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const apply = (): void => {
    const { theme } = usePreferences.getState()
    const now = theme === 'auto' ? (dark.matches ? 'dark' : 'light') : theme
    document.documentElement.dataset['theme'] = now
  }
  apply()
  dark.addEventListener('change', apply)
  usePreferences.subscribe(apply)
}

/** An address that the user's editor answers to; null where there is none. */
export function editorLink(path: string): string | null {
  const { editor } = usePreferences.getState()
  const encoded = encodeURI(path)
  if (editor === 'none') return null
  if (editor === 'idea') return `idea://open?file=${encodeURIComponent(path)}`
  return `${editor}://file${encoded}`
}
