import { createHash } from 'node:crypto'
import { REPORTING } from '../http/security-headers.ts'

const STYLES = /<style>(.*?)<\/style>| style="([^"]*)"/gs

/**
 * Returns the Content-Security-Policy of the admin, which shows previews of public pages in frames. For a page that
 * contains an email as a document in a frame, which inherits the policy, it allows exactly the email's inline styles.
 */
export function adminPolicy(emailHtml = ''): string {
  const styles = [...emailHtml.matchAll(STYLES)].map(([, sheet, inline]) => hashOf(sheet ?? inline ?? ''))
  const inEmail = styles.length === 0 ? '' : ` 'unsafe-hashes' ${[...new Set(styles)].join(' ')}`
  return [
    "default-src 'none'",
    "object-src 'none'",
    "script-src 'self'",
    `style-src 'self'${inEmail}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    REPORTING,
  ].join('; ')
}

function hashOf(style: string): string {
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`
}
