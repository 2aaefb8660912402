/** A part of a text; with an address, it is a link. */
export interface TextPart {
  text: string
  href?: string
}

// A path of the site, or a full address. Anything else in brackets is text.
const LINK = /\[([^\][]{1,200})\]\((\/(?![/\\])[^\s()]{0,500}|https:\/\/[^\s()]{1,500})\)/g

/** Parts of one line with Markdown links: `I agree to the [privacy policy](/privacy)`. */
export function linkParts(line: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of line.matchAll(LINK)) {
    const [whole, text = '', href = ''] = match
    if (match.index > end) parts.push({ text: line.slice(end, match.index) })
    parts.push({ text, href })
    end = match.index + whole.length
  }
  return end < line.length || parts.length === 0 ? [...parts, { text: line.slice(end) }] : parts
}

/** The same line without addresses, for lists and mails. */
export function withoutLinks(line: string): string {
  return line.replace(LINK, '$1')
}
