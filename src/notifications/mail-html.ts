import { textDirection } from '../lib/locale/locale.ts'
import { type MailColors, PLAIN_COLORS } from './mail-look.ts'

// Mail programs strip style sheets and most newer features; tables and inline styles look the same everywhere.
// Outlook and Yahoo support neither `text-align: start` nor `word-break`; `word-wrap` is widely supported.
export const FONT =
  "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:24px"
export const BREAKS = 'word-wrap:break-word'
/** Attributes of a table that isn't data. */
export const LAYOUT = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'

/** A heading of a mail. */
export function headingHtml(text: string): string {
  return `<h1 style="margin:0 0 16px;font-size:20px;line-height:28px">${escapeHtml(text)}</h1>`
}

/** Returns rows of labels and values, which are HTML, in a language (BCP 47). */
export function tableHtml(
  lines: readonly { label: string; value: string }[],
  language: string,
  { line, text, muted }: MailColors = PLAIN_COLORS.light,
): string {
  const start = startOf(language)
  const end = start === 'left' ? 'right' : 'left'
  const cell = `padding:8px 0;border-top:1px solid ${line};vertical-align:top;text-align:${start};${BREAKS}`
  const rows = lines.map(
    ({ label, value }) =>
      `<tr><th scope="row" width="35%" style="${cell};padding-${end}:16px;font-size:14px;font-weight:normal;color:${muted}">` +
      `${escapeHtml(label)}</th><td style="${cell}">${value}</td></tr>`,
  )
  return `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed;${FONT};color:${text}">${rows.join('')}</table>`
}

/** Splits a text into paragraphs at empty lines. */
export function paragraphsHtml(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((part) => `<p style="margin:0 0 16px">${linesHtml(part)}</p>`)
    .join('')
}

/** Lines of a text. */
export function linesHtml(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>')
}

/** Returns a link styled as a button. */
export function buttonHtml(
  address: string,
  label: string,
  { primary, on_primary }: MailColors = PLAIN_COLORS.light,
): string {
  const colors = `background-color:${primary};color:${on_primary}`
  // Outlook applies padding to cells, not to links.
  const cell = `${colors};mso-padding-alt:10px 20px`
  const look = `${colors};display:inline-block;padding:10px 20px;font-weight:bold;text-decoration:none`
  return [
    `<table ${LAYOUT}><tr><td style="padding:24px 0">`,
    `<table ${LAYOUT}><tr><td style="${cell};${FONT}"><a href="${escapeHtml(address)}" style="${look}">${escapeHtml(label)}</a></td></tr></table>`,
    '</td></tr></table>',
  ].join('')
}

/** Returns a link; `shown` is HTML. */
export function linkHtml(
  address: string,
  shown: string,
  { primary }: MailColors = PLAIN_COLORS.light,
): string {
  return `<a href="${escapeHtml(address)}" style="color:${primary}">${shown}</a>`
}

/** Returns the side on which lines of a language (BCP 47) start. */
export function startOf(language: string): 'left' | 'right' {
  return textDirection(language) === 'rtl' ? 'right' : 'left'
}

/** Escapes a text for HTML. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '')
}
