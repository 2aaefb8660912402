/**
 * Returns the address that was typed: a path, a full address, or an email address with its scheme. Undefined for any
 * other text, such as the name of a page.
 */
export function typedAddress(typed: string): string | undefined {
  const text = typed.trim()
  if (/^(?:\/|#|https?:\/\/|mailto:|tel:)\S+$/i.test(text) || text === '/') return text
  if (/^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(text)) return `mailto:${text}`
  return /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:[/?#]\S*)?$/i.test(text) ? `https://${text}` : undefined
}

/** Returns a link in Markdown; without a text, the address is its text. */
export function markdownLink(text: string, address: string): string {
  const label = (text.trim() || address).replace(/[[\]\\]/g, '\\$&')
  const target = address.replace(/[()<>\s]/g, (sign) =>
    sign === '(' ? '%28' : sign === ')' ? '%29' : encodeURIComponent(sign),
  )
  return `[${label}](${target})`
}
