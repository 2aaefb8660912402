/** The address if it is an absolute http or https one, else null: nothing else may stand in a link or a frame. */
export function webAddress(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text)
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}
