import { createHash } from 'node:crypto'
import { REPORTING } from '../http/security-headers.ts'

// For moments without the look of the site: there is none yet, or the request must not cost more than this.
const STYLE = `:root{color-scheme:light dark;background:#fff;color:#18202a;font:1.1rem/1.6 system-ui,sans-serif}
body{display:grid;min-height:100vh;margin:0;place-content:center;padding:1.5rem;box-sizing:border-box;text-align:center}
h1{margin:0 0 .5rem;font-size:1.6rem;line-height:1.2}p{margin:0;max-width:28rem}
@media(prefers-color-scheme:dark){:root{background:#101418;color:#e8ecf1}}`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** Allows nothing but the page's own style. */
export const PLAIN_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  REPORTING,
].join('; ')

/** Returns a page of a heading and a sentence, which are HTML. Send it with `PLAIN_PAGE_POLICY`. */
export function plainPage({ title, text }: { title: string; text: string }): string {
  return plainDocument({ title, style: STYLE, main: `<p>${text}</p>` })
}

interface PlainDocument {
  title: string
  /** CSS. */
  style: string
  /** Seconds after which browsers load it again. */
  refreshAfter?: number | undefined
  /** Follows the title as a heading. */
  main: string
}

/** Returns a document with its own style that search engines leave out. All parts are HTML. */
export function plainDocument({ title, style, refreshAfter, main }: PlainDocument): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${refreshAfter ? `<meta http-equiv="refresh" content="${refreshAfter}">\n` : ''}<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`
}
