/** The webhook that a stored secret belongs to, and the address that it may be sent to. */
export interface SecretOwner {
  id: number
  url: string
}

/**
 * The origin of a webhook's address: `https://hooks.example.com`. Where `${NAME}` is in its host, or before it, the
 * text that decides the host: the same text means the same host for any value.
 */
export function originOf(url: string): string {
  // `${URL}//x` and `${SCHEME}:/x` may go to the host x, when the value is `https:` or `https`.
  const [deciding = ''] = /^[^/?#\\]*(?:(?:[/\\]{2,}|(?<=:)[/\\])[^/?#\\]*)?/.exec(withoutBreaks(url)) ?? []
  return (deciding.includes('${') ? undefined : URL.parse(deciding)?.origin) ?? deciding
}

// URL parsers drop them anywhere: `https:/<tab>/x` goes to the host x.
function withoutBreaks(url: string): string {
  return url.replace(/[\t\n\r]/g, '')
}

/** Returns whether what is stored for one address may be sent to the other. */
export function isSameOrigin(url: string, other: string): boolean {
  return originOf(url) === originOf(other)
}
