/** A schema field's text, or null when it is empty or something else. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** Returns an absolute http or https URL, or null for anything else, which must not be in a link or a frame. */
export function webAddress(value: unknown): string | null {
  const url = URL.parse(textOf(value) ?? '')
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}
