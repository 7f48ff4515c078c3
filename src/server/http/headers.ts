/**
 * Sent with every response, including refusals. The page may run this server's scripts and connect
 * to this server; nothing in a transcript can make it load, frame or run anything else.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "style-src 'self'",
    "font-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(self), usb=()',
}

/**
 * The same for the page with speech enabled: it may also open WebSockets to exactly one origin. A
 * `wss:` source also allows `https:` to the same host, and a local `ws:` source allows `http:`.
 */
export function pageHeaders(speechOrigin: string | null): Readonly<Record<string, string>> {
  if (speechOrigin === null) return securityHeaders
  const policy = securityHeaders['Content-Security-Policy']!
  const admitted = `connect-src 'self' ${speechOrigin.replace(/^http/, 'ws')};`
  return {
    ...securityHeaders,
    'Content-Security-Policy': policy.replace("connect-src 'self';", admitted),
  }
}
