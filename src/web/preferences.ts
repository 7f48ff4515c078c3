import { create } from 'zustand'

/** The user's preferences for this page, stored in the browser. */
export interface Preferences {
  readonly theme: 'auto' | 'light' | 'dark'
  /** Single keys act without Ctrl; speech input and switch devices may press them by accident. */
  readonly singleKeys: boolean
  /** Ctrl-Z and Ctrl-Shift-Z plan an undo or redo. Off by default, as they surprise users. */
  readonly undoKeys: boolean
  /** The user declined the offer to install hooks. */
  readonly hooksDeclined: boolean
  /** The voice log beside the turns is folded. */
  readonly voiceLogFolded: boolean
  /** The user can speak without holding a key. */
  readonly handsFree: boolean
  /** The chosen microphone; null for the browser's default. */
  readonly microphone: string | null
  /** The editor that opens a clicked file. */
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

/** Keeps the document in the chosen theme, or in the system's. */
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

/** A URL that opens a file in the user's editor; null without an editor. */
export function editorLink(path: string): string | null {
  const { editor } = usePreferences.getState()
  const encoded = encodeURI(path)
  if (editor === 'none') return null
  if (editor === 'idea') return `idea://open?file=${encodeURIComponent(path)}`
  return `${editor}://file${encoded}`
}
