/** Returns a schema field's text, or null if it is empty or not a text. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** Returns an absolute http or https URL; null for anything else, which must not be used in a link or frame. */
export function webAddress(value: unknown): string | null {
  const url = URL.parse(textOf(value) ?? '')
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}
