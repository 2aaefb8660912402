import { textDirection } from '../lib/locale/locale.ts'
import { BREAKS, escapeHtml, FONT, LAYOUT, linesHtml, linkHtml, startOf } from './mail-html.ts'
import { type MailColors, type MailLook, PLAIN_COLORS } from './mail-look.ts'

const ICON_SIZE = 40

/** The frame of an email. */
export interface MailFrame {
  title: string
  /** BCP 47. */
  language: string
  /** HTML. */
  body: string
  /** The site's name and colors; missing for emails from Signpost itself. */
  look?: MailLook | undefined
  /** HTML in small print at the bottom. */
  footer?: string | undefined
}

/** Returns a complete HTML email around its body, at most 600 pixels wide. */
export function frameMail({ title, language, body, look, footer }: MailFrame): string {
  const { light, dark } = look ?? PLAIN_COLORS
  const start = startOf(language)
  const ground = pairOf(light, 'surface', 'text')
  const border = `border:1px solid ${light.line}${look ? '' : `;border-top:4px solid ${light.accent}`}`
  const foot = footer
    ? `<tr><td style="padding:16px 24px 24px;${FONT};font-size:14px;line-height:22px;color:${light.muted};border-top:1px solid ${light.line};text-align:${start};${BREAKS}">${footer}</td></tr>`
    : ''
  return [
    `<!doctype html><html lang="${escapeHtml(language)}" dir="${textDirection(language)}">`,
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(title)}</title>${darkStyle(light, dark)}</head>`,
    `<body style="${ground};margin:0;padding:0">`,
    `<table ${LAYOUT} width="100%" style="${ground};table-layout:fixed">`,
    '<tr><td align="center" style="padding:16px 8px">',
    `<table ${LAYOUT} width="100%" style="${pairOf(light, 'background', 'text')};table-layout:fixed;max-width:600px;${border}">`,
    look ? headerHtml(look, language) : '',
    `<tr><td style="padding:24px;${FONT};color:${light.text};text-align:${start};${BREAKS}">${body}</td></tr>${foot}`,
    '</table></td></tr></table></body></html>',
  ].join('')
}

/** Contact details of a site for the end of an email, in both forms. */
export function contactDetails({ siteName, siteUrl, phone, email, address, light }: MailLook): {
  text: string
  html: string
} {
  const lines = (address ?? '').split('\n').map((line) => line.trim())
  const place = lines.filter((line) => line !== '' && line !== siteName)
  const link = (target: string, shown: string) => linkHtml(target, escapeHtml(shown), light)
  const contacts = [
    ...(phone ? [phone.dial ? link(`tel:${phone.dial}`, phone.text) : escapeHtml(phone.text)] : []),
    ...(email ? [link(`mailto:${email}`, email)] : []),
    link(siteUrl, siteUrl.replace(/^https?:\/\//, '')),
  ]
  return {
    text: [siteName, ...place, phone?.text, email, siteUrl].filter(Boolean).join('\n'),
    html: [`<strong>${escapeHtml(siteName)}</strong>`, linesHtml(place.join('\n')), ...contacts]
      .filter(Boolean)
      .join('<br>'),
  }
}

// The name is text, so that it shows while pictures are blocked.
function headerHtml({ siteName, siteUrl, icon, light }: MailLook, language: string): string {
  const start = startOf(language)
  const band = pairOf(light, 'band', 'on_band')
  const name = `<a href="${escapeHtml(siteUrl)}" style="color:${light.on_band};text-decoration:none">${escapeHtml(siteName)}</a>`
  const text = `${FONT};font-size:18px;font-weight:bold;text-align:${start}`
  return [
    `<tr><td style="${band};padding:16px 24px;border-bottom:4px solid ${light.accent}"><table ${LAYOUT}><tr>`,
    icon === null ? letterCell(siteName, light) : iconCell(icon),
    `<td width="12" style="${band}">&nbsp;</td>`,
    `<td style="${band};${text};${BREAKS}">${name}</td>`,
    '</tr></table></td></tr>',
  ].join('')
}

function iconCell(icon: string): string {
  const size = `width="${ICON_SIZE}" height="${ICON_SIZE}"`
  return `<td ${size}><img src="${escapeHtml(icon)}" ${size} alt="" style="display:block;border:0"></td>`
}

function letterCell(siteName: string, light: MailColors): string {
  const [letter = ''] = siteName.match(/[\p{L}\p{N}]/u) ?? []
  if (!letter) return ''
  const look = `${pairOf(light, 'accent', 'on_accent')};${FONT};font-size:22px;font-weight:bold`
  const size = `width="${ICON_SIZE}" height="${ICON_SIZE}"`
  return `<td ${size} align="center" style="${look}">${escapeHtml(letter.toLocaleUpperCase())}</td>`
}

/** A background with its text, as every style that sets both begins; the dark colors are found by it. */
function pairOf(colors: MailColors, ground: keyof MailColors, text: keyof MailColors): string {
  return `background-color:${colors[ground]};color:${colors[text]}`
}

const PAIRS = [
  ['surface', 'text'],
  ['background', 'text'],
  ['primary', 'on_primary'],
  ['accent', 'on_accent'],
  ['band', 'on_band'],
] as const

// Replaces the inline colors where the reader's device is dark. Programs without these selectors show the email as it
// is. Roles may share a color: pairs come last, so that a text and its background always change together.
function darkStyle(light: MailColors, dark: MailColors): string {
  const edge = ['left', 'right', 'bottom'].map((side) => `border-${side}-color:${dark.line}`)
  const rules = [
    [`[style*=";color:${light.text}"]`, `color:${dark.text}`],
    [`[style*=";color:${light.muted}"]`, `color:${dark.muted}`],
    [`[style*="border:1px solid ${light.line}"]`, ...edge],
    [`[style$="border:1px solid ${light.line}"]`, `border-top-color:${dark.line}`],
    [`[style*="border-top:1px solid ${light.line}"]`, `border-top-color:${dark.line}`],
    [`[style*="border-bottom:4px solid ${light.accent}"]`, `border-bottom-color:${dark.accent}`],
    ...PAIRS.map(([ground, text]) => [
      `[style^="${pairOf(light, ground, text)}"]`,
      `background-color:${dark[ground]}`,
      `color:${dark[text]}`,
    ]),
    [`a[style^="color:${light.primary}"]`, `color:${dark.primary}`],
    [`a[style^="color:${light.on_band};text-decoration"]`, `color:${dark.on_band}`],
  ].map(([selector, ...values]) => `${selector}{${values.map((value) => `${value}!important`).join(';')}}`)
  return `<style>@media (prefers-color-scheme:dark){${rules.join('')}}</style>`
}
