/**
 * Whether a shell command may delete or rewrite git's own objects. Contents that git holds are not
 * copied before that (sem.K3), so they are lost with it. Too often is safe and slow, never too
 * seldom for what a command line says; a script that hides it is not seen.
 */
export function mayTouchGit(command: string): boolean {
  return RISKS.some((risk) => risk.test(command))
}

const RISKS: readonly RegExp[] = [
  // `.git` itself, or something in it.
  /(^|[\s"'=/;&|(])\.git($|[\s"'/;&|)*])/u,
  // What makes git drop objects, or write them anew.
  /\bgit\b[^;&|\n]*\s(gc|prune|repack|maintenance|reflog|filter-branch|filter-repo|prune-packed)\b/u,
  /\b(bfg|git-filter-repo)\b/u,
  // Whole directories, among which may be the project: `rm -rf .`, `rm -r "$DIR"`, `find . -delete`.
  /\brm\s(?=[^;&|\n]*-[a-zA-Z-]*[rR])[^;&|\n]*\s["']?(\.{1,2}\/?|\.\/?\*|\.\*|[~$/][^\s]*)["']?($|[\s;&|])/u,
  /\bfind\b[^;&|\n]*-(delete|exec\s+rm)\b/u,
  /\bgit\b[^;&|\n]*\sclean\b[^;&|\n]*-[a-z]*f[a-z]*f/u,
]
