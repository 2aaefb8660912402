import { createRequire } from 'node:module'
import { Marked } from 'marked'
import type sanitizeHtml from 'sanitize-html'

const marked = new Marked({ gfm: true })

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: [
    'h2',
    'h3',
    'h4',
    'p',
    'a',
    'strong',
    'em',
    'del',
    'code',
    'pre',
    'blockquote',
    'br',
    'hr',
    'ul',
    'ol',
    'li',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
    'img',
  ],
  allowedAttributes: {
    a: ['href', 'title'],
    img: ['src', 'srcset', 'sizes', 'width', 'height', 'alt', 'loading', 'decoding'],
    ol: ['start'],
  },
  allowedSchemes: ['https', 'http', 'mailto', 'tel'],
  // The page has its own first heading: one in the text becomes a second-level one.
  transformTags: { h1: 'h2' },
}

// Loading it takes a tenth of a start, and most processes show no Markdown. Its callers are synchronous.
const require = createRequire(import.meta.url)
const sanitize = (html: string, options: sanitizeHtml.IOptions): string =>
  require('sanitize-html')(html, options)

/** A picture to show in a text. */
export interface TextPicture {
  src: string
  srcset: string
  sizes: string
  width: number
  height: number
  /** Description used if the text has none. */
  alt: string
}

/** Finds the picture that an address names: undefined leaves the picture out, `as_written` keeps its address. */
export type FindPicture = (address: string) => TextPicture | 'as_written' | undefined

/**
 * Markdown as HTML that is safe in a page: no scripts, styles, event handlers, or foreign schemes. `findPicture`
 * decides about pictures.
 */
export function renderMarkdown(markdown: string, findPicture: FindPicture = () => 'as_written'): string {
  const html = marked.parse(markdown, { async: false })
  if (!MAY_HOLD_PICTURES.test(markdown)) return sanitize(html, ALLOWED).trim()
  const img = (tagName: string, attribs: sanitizeHtml.Attributes) => ({
    tagName,
    attribs: pictureAttributes(attribs, findPicture),
  })
  const transformTags = { ...ALLOWED.transformTags, img }
  return withoutLeftOut(sanitize(html, { ...ALLOWED, transformTags })).trim()
}

// With a picture that is left out, the link and the paragraph around it go too if they hold nothing else.
function withoutLeftOut(html: string): string {
  const left = html.replace(/<img(?! src=)[^>]*>/g, '')
  return left === html ? html : left.replace(/<a(?: [^>]*)?>\s*<\/a>/g, '').replace(/<p>\s*<\/p>\n*/g, '')
}

// Syntax that starts a picture, in Markdown and in HTML.
const MAY_HOLD_PICTURES = /!\[|<img\b/i

function pictureAttributes(
  given: sanitizeHtml.Attributes,
  findPicture: FindPicture,
): sanitizeHtml.Attributes {
  const { src = '', alt = '', width, height } = given
  const found = findPicture(src)
  if (!found) return {}
  const shared = { alt, loading: 'lazy', decoding: 'async' }
  if (found === 'as_written') return { src, ...(width && { width }), ...(height && { height }), ...shared }
  const { alt: known, ...shown } = found
  return {
    ...{ ...shown, width: String(found.width), height: String(found.height) },
    ...{ ...shared, alt: alt.trim() || known },
  }
}

/** The addresses of the pictures in a text, in order; none if the text cannot be shown. */
export function listPictureAddresses(markdown: string): string[] {
  if (!MAY_HOLD_PICTURES.test(markdown)) return []
  const addresses: string[] = []
  try {
    renderMarkdown(markdown, (address) => void addresses.push(address))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return addresses
}

/** Returns whether a text may contain pictures, which is much cheaper than finding them. */
export function mayHoldPictures(markdown: string): boolean {
  return MAY_HOLD_PICTURES.test(markdown)
}

/** The text of Markdown without its syntax. */
export function plainText(markdown: string): string {
  const text = sanitize(marked.parse(markdown, { async: false }), {
    allowedTags: [],
    allowedAttributes: {},
  })
  return text.replace(/&(amp|lt|gt|quot);/g, (_, name: keyof typeof CHARACTERS) => CHARACTERS[name]).trim()
}

const CHARACTERS = { amp: '&', lt: '<', gt: '>', quot: '"' }
