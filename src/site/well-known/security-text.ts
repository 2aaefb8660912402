/** Path where researchers look (RFC 9116 §3). */
export const SECURITY_TEXT_PATH = '/.well-known/security.txt'

/** RFC 9116 §2.5.5 recommends less than a year. */
const MONTHS_VALID = 11

/**
 * Returns security.txt (RFC 9116). It expires in ten to eleven months, on the first of a month, so that a static
 * copy changes at most once a month.
 */
export function securityText({ contact, siteUrl }: { contact: string; siteUrl: string }, now: Date): string {
  const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + MONTHS_VALID, 1))
  return [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString().replace('.000', '')}`,
    `Canonical: ${siteUrl}${SECURITY_TEXT_PATH}`,
    '',
  ].join('\n')
}
