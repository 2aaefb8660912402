/** Stands for the service's text in the text of a local page. */
export const SERVICE_TEXT = '{{service}}'

const REFERENCE = /\s*\{\{\s*service\s*\}\}\s*/

/** Returns whether a local page with this text of its own shows the service's text, too. */
export function showsServiceText(own: string): boolean {
  return own.trim() === '' || REFERENCE.test(own)
}

/**
 * Returns the text that a local page shows (§2.9 rule 5): the service's if it has none of its own. Otherwise its own,
 * with the service's where `{{service}}` stands.
 */
export function shownText(own: string, ofService: string): string {
  if (own.trim() === '') return ofService
  return own.split(REFERENCE).join(`\n\n${ofService}\n\n`).trim()
}

/** Returns a local page's own text without the service's. */
export function withoutServiceText(own: string): string {
  return own.split(REFERENCE).join('\n\n').trim()
}

/** Returns a local page's own text extended by the service's below it, unless it shows that already. */
export function withServiceText(own: string): string {
  if (own.trim() === '') return SERVICE_TEXT
  return showsServiceText(own) ? own : `${own.trimEnd()}\n\n${SERVICE_TEXT}`
}
