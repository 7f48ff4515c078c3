/**
 * Whether a shell command may delete or rewrite git's objects. Contents that only git has must be
 * copied first, or they are lost (sem.K3). A false positive only costs time. The check reads the
 * command line: it misses a script that does such a thing.
 */
export function mayTouchGit(command: string): boolean {
  return RISKS.some((risk) => risk.test(command))
}

const RISKS: readonly RegExp[] = [
  // `.git` itself, or a path in it.
  /(^|[\s"'=/;&|(])\.git($|[\s"'/;&|)*])/u,
  // Commands that make git drop or rewrite objects.
  /\bgit\b[^;&|\n]*\s(gc|prune|repack|maintenance|reflog|filter-branch|filter-repo|prune-packed)\b/u,
  /\b(bfg|git-filter-repo)\b/u,
  // Recursive deletes that may include the project: `rm -rf .`, `rm -r "$DIR"`, `find . -delete`.
  /\brm\s(?=[^;&|\n]*-[a-zA-Z-]*[rR])[^;&|\n]*\s["']?(\.{1,2}\/?|\.\/?\*|\.\*|[~$/][^\s]*)["']?($|[\s;&|])/u,
  /\bfind\b[^;&|\n]*-(delete|exec\s+rm)\b/u,
  /\bgit\b[^;&|\n]*\sclean\b[^;&|\n]*-[a-z]*f[a-z]*f/u,
]
