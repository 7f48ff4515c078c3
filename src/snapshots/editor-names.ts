/** Temporary files that editors create next to the file they save; `f` is that file. */
const TEMPORARY: readonly RegExp[] = [
  /^\.(?<f>.+)\.sw[a-z]$/, // Vim
  /^(?<f>.+)~$/, // Vim's backup, removed after the save; Emacs and gedit
  /^\.#(?<f>.+)$/, // Emacs
  /^#(?<f>.+)#$/,
  /^(?<f>.+)___jb_(?:tmp|old)___$/, // JetBrains
  /^\.(?<f>.+)\.kate-swp$/,
  /^(?<f>.+)\.[A-Za-z]{6}$/, // Kate and other Qt programs
  /^\.~lock\.(?<f>.+)#$/, // LibreOffice
]

/** Temporary names that do not contain the name of the saved file. */
const ANONYMOUS: readonly RegExp[] = [
  /^4913$/, // Vim tests whether the directory is writable
  /^\.goutputstream-[A-Z0-9]{6}$/, // gedit and other GLib programs
]

/**
 * Whether an editor saved a file, judged by the names that appeared or disappeared in its
 * directory. Editors write a temporary file and rename it over the old one. Only the temporary
 * names distinguish them from commands that do the same.
 */
export function savedByEditor(heard: ReadonlySet<string>): (name: string) => boolean {
  const names = [...heard]
  const isAny = names.some((name) => ANONYMOUS.some((pattern) => pattern.test(name)))
  const saved = new Set(
    names.flatMap((name) =>
      TEMPORARY.flatMap((pattern) => pattern.exec(name)?.groups?.['f'] ?? []),
    ),
  )
  return (name) => isAny || saved.has(name)
}
