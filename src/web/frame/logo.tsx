export function Logo({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden className="text-accent">
      <rect width="32" height="32" rx="8" fill="currentColor" />
      <g fill="none" stroke="var(--accent-ink)" strokeWidth="2.8" strokeLinecap="round">
        <path d="M9 12.5h8.5a5.5 5.5 0 0 1 0 11H13" />
        <path d="M13 8.2 8.6 12.5 13 16.8" strokeLinejoin="round" />
      </g>
    </svg>
  )
}
