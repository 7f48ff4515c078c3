/**
 * Variables that keep Claude Code from talking to anything but this model, for trials and tests.
 */
export function closedEnvironment({
  url,
  key,
  proxy,
}: {
  readonly url: string
  readonly key: string
  /** Receives whatever leaves the machine despite these switches. */
  readonly proxy: string
}): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: key,
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    ALL_PROXY: proxy,
    NO_PROXY: '127.0.0.1,localhost',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
    // Lets root skip permissions, which containers and CI need.
    IS_SANDBOX: '1',
  }
}
