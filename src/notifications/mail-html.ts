import { textDirection } from '../lib/locale/locale.ts'

// Mail programs strip style sheets and most newer features; tables and inline styles look the same everywhere.
// Outlook and Yahoo support neither `text-align: start` nor `word-break`; `word-wrap` is widely supported.
const FONT =
  "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:24px"
const INK = '#1c1f23'
const QUIET = '#5b6470'
const LINE = '#e3e6ea'
const PAPER = '#ffffff'
const GROUND = '#f3f4f6'
const ACCENT = '#1d4ed8'
const BREAKS = 'word-wrap:break-word'
const LAYOUT = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'

// Replaces the inline colors where the reader's device is dark. Programs without these selectors show the email as it is.
const DARK_RULES = [
  [`[style*="background-color:${GROUND}"]`, 'background-color:#111418'],
  [`[style*="background-color:${PAPER}"]`, 'background-color:#1e2228'],
  [`[style*="border:1px solid ${LINE}"]`, 'border-left-color:#343a42', 'border-right-color:#343a42'],
  [`[style*="border:1px solid ${LINE}"]`, 'border-bottom-color:#343a42'],
  [`[style*="border-top:1px solid ${LINE}"]`, 'border-top-color:#343a42'],
  [`[style*="color:${INK}"]`, 'color:#f3f4f6'],
  [`[style*="color:${QUIET}"]`, 'color:#aab2bd'],
  [`a[style^="color:${ACCENT}"]`, 'color:#9db8ff'],
].map(([selector, ...colors]) => `${selector}{${colors.map((color) => `${color}!important`).join(';')}}`)
const DARK = `<style>@media (prefers-color-scheme:dark){${DARK_RULES.join('')}}</style>`

/** The frame of an email. */
export interface MailFrame {
  title: string
  /** BCP 47. */
  language: string
  /** HTML. */
  body: string
  /** The color of the bar at the top: `#1d4ed8`. */
  accent?: string | undefined
  /** HTML in small print at the bottom. */
  footer?: string | undefined
}

/** Returns a complete HTML email around its body, at most 600 pixels wide. */
export function frameMail({ title, language, body, accent = ACCENT, footer }: MailFrame): string {
  const foot = footer
    ? `<tr><td style="padding:16px 24px 24px;${FONT};font-size:13px;line-height:20px;color:${QUIET};text-align:${startOf(language)};${BREAKS}">${footer}</td></tr>`
    : ''
  return [
    `<!doctype html><html lang="${escapeHtml(language)}" dir="${textDirection(language)}">`,
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(title)}</title>${DARK}</head>`,
    `<body style="margin:0;padding:0;background-color:${GROUND}">`,
    `<table ${LAYOUT} width="100%" style="table-layout:fixed;background-color:${GROUND}">`,
    '<tr><td align="center" style="padding:16px 8px">',
    `<table ${LAYOUT} width="100%" style="table-layout:fixed;max-width:600px;background-color:${PAPER};border:1px solid ${LINE};border-top:4px solid ${accent}">`,
    `<tr><td style="padding:24px;${FONT};color:${INK};text-align:${startOf(language)};${BREAKS}">${body}</td></tr>${foot}`,
    '</table></td></tr></table></body></html>',
  ].join('')
}

/** A heading of a mail. */
export function headingHtml(text: string): string {
  return `<h1 style="margin:0 0 16px;font-size:20px;line-height:28px">${escapeHtml(text)}</h1>`
}

/** Returns rows of labels and values, which are HTML, in a language (BCP 47). */
export function tableHtml(lines: readonly { label: string; value: string }[], language: string): string {
  const start = startOf(language)
  const end = start === 'left' ? 'right' : 'left'
  const cell = `padding:8px 0;border-top:1px solid ${LINE};vertical-align:top;text-align:${start};${BREAKS}`
  const rows = lines.map(
    ({ label, value }) =>
      `<tr><th scope="row" width="35%" style="${cell};padding-${end}:16px;font-size:14px;font-weight:normal;color:${QUIET}">` +
      `${escapeHtml(label)}</th><td style="${cell}">${value}</td></tr>`,
  )
  return `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed;${FONT};color:${INK}">${rows.join('')}</table>`
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
export function buttonHtml(address: string, label: string): string {
  // Outlook applies padding to cells, not to links.
  const cell = `background-color:${ACCENT};mso-padding-alt:10px 20px`
  const look = `display:inline-block;padding:10px 20px;background-color:${ACCENT};color:#ffffff;font-weight:bold;text-decoration:none`
  return [
    `<table ${LAYOUT}><tr><td style="padding:24px 0">`,
    `<table ${LAYOUT}><tr><td style="${cell};${FONT}"><a href="${escapeHtml(address)}" style="${look}">${escapeHtml(label)}</a></td></tr></table>`,
    '</td></tr></table>',
  ].join('')
}

export function linkHtml(address: string, shown: string): string {
  return `<a href="${escapeHtml(address)}" style="color:${ACCENT}">${shown}</a>`
}

function startOf(language: string): 'left' | 'right' {
  return textDirection(language) === 'rtl' ? 'right' : 'left'
}

export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '')
}
