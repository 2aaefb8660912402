/** A schema field's text, or null when it is empty or something else. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** The address if it is an absolute http or https one, else null: nothing else may stand in a link or a frame. */
export function webAddress(value: unknown): string | null {
  const url = URL.parse(textOf(value) ?? '')
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}
