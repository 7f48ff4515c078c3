interface Described {
  readonly info: { readonly version: string; readonly description?: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly summary?: string
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: object }>> }
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly responses: Readonly<Record<string, { content?: Record<string, { schema: object }> }>>
}

/**
 * The API docs, made from the API description when the server starts. The page loads no scripts.
 */
export function docsPage(described: object): string {
  const { info, paths } = described as Described
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => section(method, path, operation)),
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Retake: the API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
</head>
<body>
<main>
<h1>Retake: the API</h1>
<p>${escape(info.description ?? '')} Version ${escape(info.version)}. For programs: <code>/openapi.json</code>, with the token.</p>
<p>Send <code>Authorization: Bearer TOKEN</code>. What goes wrong is <code>application/problem+json</code> with a stable <code>code</code>.</p>
${routes.join('\n')}
</main>
</body>
</html>
`
}

function section(method: string, path: string, operation: Operation): string {
  const { summary = '', requestBody, parameters = [], responses } = operation
  const query = parameters.filter((each) => each.in === 'query').map(({ name }) => name)
  const body = Object.values(requestBody?.content ?? {})[0]?.schema
  const answer = Object.entries(responses['200']?.content ?? {})[0]
  return `<section>
<h2><code>${method.toUpperCase()} ${escape(path)}</code></h2>
<p>${escape(summary)}.${query.length === 0 ? '' : ` Query: ${query.map((name) => `<code>${escape(name)}</code>`).join(', ')}.`}${answer === undefined ? '' : ` Answers <code>${escape(nameOf(answer))}</code>.`}</p>
${body === undefined ? '' : `<pre>${escape(JSON.stringify(body, null, 2))}</pre>`}
</section>`
}

function nameOf([type, { schema }]: [string, { schema: object }]): string {
  const names = [...JSON.stringify(schema).matchAll(/schemas\/([a-z-]+)"/g)].map(([, name]) => name)
  return names.length === 0 ? type : names.join(' or ')
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
