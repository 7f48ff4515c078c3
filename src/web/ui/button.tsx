import type { ComponentProps, ReactNode } from 'react'
import { Tip } from './tip.tsx'

type Variant = 'plain' | 'primary' | 'quiet' | 'danger'

const VARIANTS: Record<Variant, string> = {
  plain:
    'border border-line-strong bg-surface text-ink shadow-low hover:bg-hover aria-disabled:hover:bg-surface',
  primary:
    'border border-transparent bg-accent text-accent-ink shadow-low hover:bg-accent-hover aria-disabled:hover:bg-accent',
  quiet:
    'border border-transparent text-muted hover:bg-hover hover:text-ink aria-disabled:hover:bg-transparent aria-disabled:hover:text-muted',
  danger:
    'border border-line-strong bg-surface text-removed shadow-low hover:bg-removed-soft aria-disabled:hover:bg-surface',
}

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  readonly variant?: Variant
  readonly size?: 'small' | 'normal' | 'icon'
  /** Why it cannot be used now. It stays focusable, so that everyone can read the reason. */
  readonly unavailable?: string | null | undefined
  readonly tip?: ReactNode
}

const SIZES = {
  small: 'h-6 gap-1 px-2 text-xs',
  normal: 'h-8 gap-1.5 px-3 text-sm',
  icon: 'size-7 justify-center',
}

/** The classes of a link that looks like a plain button. */
export function linkStyle(size: 'small' | 'normal'): string {
  return `inline-flex shrink-0 items-center rounded-md font-medium whitespace-nowrap ${SIZES[size]} ${VARIANTS.plain}`
}

export function Button(props: ButtonProps) {
  const {
    variant = 'plain',
    size = 'normal',
    unavailable,
    tip,
    onClick,
    className = '',
    ...rest
  } = props
  const off = typeof unavailable === 'string'
  const button = (
    <button
      type="button"
      {...rest}
      aria-disabled={off || undefined}
      onClick={off ? undefined : onClick}
      className={`inline-flex shrink-0 items-center rounded-md font-medium whitespace-nowrap transition-colors select-none aria-disabled:cursor-not-allowed aria-disabled:opacity-60 ${SIZES[size]} ${VARIANTS[variant]} ${className}`}
    />
  )
  // Wrap in a tip from the start: adding it later would replace the element and lose focus.
  const says = 'unavailable' in props || tip !== undefined
  return says ? <Tip text={off ? unavailable : tip}>{button}</Tip> : button
}
