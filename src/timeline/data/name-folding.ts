/** What a volume disregards when it compares names. */
export interface NameFolding {
  readonly case: boolean
  /** The Unicode form: `é` as one character or as two. */
  readonly form: boolean
}

export const FOLDS_NOTHING: NameFolding = { case: false, form: false }
export const FOLDS_ALL: NameFolding = { case: true, form: true }

/**
 * Equal for paths that the volume takes for the same. Rather equal too often: what looks equal here
 * is handled with care, and what does not may overwrite a file.
 */
export function foldName(path: string, folding: NameFolding): string {
  let text = folding.form ? path.normalize('NFD') : path
  // By way of upper case, because some letters have two lower cases, such as the Greek sigma.
  if (folding.case) text = text.toUpperCase().toLowerCase()
  return folding.form ? text.normalize('NFC') : text
}
