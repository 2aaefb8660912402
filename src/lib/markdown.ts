import { createRequire } from 'node:module'
import { Marked } from 'marked'
import type sanitizeHtml from 'sanitize-html'

const marked = new Marked({ gfm: true })

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['h2', 'h3', 'h4', 'p', 'a', 'strong', 'em', 'del', 'code', 'pre', 'blockquote', 'br', 'hr'],
    ...['ul', 'ol', 'li', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'img'],
  ],
  allowedAttributes: { a: ['href', 'title'], img: ['src', 'alt', 'width', 'height'], ol: ['start'] },
  allowedSchemes: ['https', 'http', 'mailto', 'tel'],
  // The page has its own first heading: one in the text becomes a second-level one.
  transformTags: { h1: 'h2' },
}

// Loading it takes a tenth of a start, and most processes show no Markdown. The callers are synchronous.
const require = createRequire(import.meta.url)
const sanitize = (html: string, options: sanitizeHtml.IOptions): string =>
  require('sanitize-html')(html, options)

/** Markdown as HTML that is safe to place in a page: no scripts, styles, event handlers or foreign schemes. */
export function renderMarkdown(markdown: string): string {
  return sanitize(marked.parse(markdown, { async: false }), ALLOWED).trim()
}

/** The text of Markdown without its marks. */
export function plainText(markdown: string): string {
  const text = sanitize(marked.parse(markdown, { async: false }), {
    allowedTags: [],
    allowedAttributes: {},
  })
  return text.replace(/&(amp|lt|gt|quot);/g, (_, name: keyof typeof CHARACTERS) => CHARACTERS[name]).trim()
}

const CHARACTERS = { amp: '&', lt: '<', gt: '>', quot: '"' }
