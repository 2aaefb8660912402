import { cutAtWord } from '../../lib/words.ts'

/** Search results cut off longer texts. */
const TITLE_LENGTH = 65
const DESCRIPTION_LENGTH = 160
/** Whole sentences are preferred, unless they leave too little text. */
const SHORTEST_SENTENCES = 70

/** Returns the page title with the name of the site, as far as both fit. */
export function headTitle(title: string, siteName: string): string {
  const whole = `${title} | ${siteName}`
  return whole.length <= TITLE_LENGTH ? whole : title
}

/** Returns one paragraph of plain text, short enough for a search result: whole sentences if possible. */
export function headDescription(...parts: (string | null)[]): string {
  const text = parts.filter(Boolean).join(' ').replace(/\s+/g, ' ').trim()
  if (text.length <= DESCRIPTION_LENGTH) return text
  const sentences = /^.*(?:[.!?](?=\s)|[。！？])/u.exec(text.slice(0, DESCRIPTION_LENGTH))?.[0] ?? ''
  return sentences.length >= SHORTEST_SENTENCES
    ? sentences
    : `${cutAtWord(text, DESCRIPTION_LENGTH).replace(/[,;:、，]$/, '')} …`
}
