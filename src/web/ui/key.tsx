export function Key({ children }: { children: string }) {
  return (
    <kbd className="inline-flex h-4.5 min-w-4.5 items-center justify-center rounded border border-line-strong bg-sunken px-1 font-sans text-2xs text-muted">
      {children}
    </kbd>
  )
}
