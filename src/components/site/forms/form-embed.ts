/** A form for a page of another website: its markup and language as on its own page, and its styles. */
export interface EmbeddedForm {
  html: string
  lang: string
  dir: string
  styles: string
}

/**
 * Inserts the form where the running `<script src=".../forms/<slug>/embed.js">` is, inside a shadow root that
 * isolates styles. It posts to the site that the script came from.
 */
export function placeForm({ html, lang, dir, styles }: EmbeddedForm): ParentNode {
  const script = document.currentScript as HTMLScriptElement
  const host = document.createElement('div')
  host.lang = lang
  host.dir = dir
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  if (!getComputedStyle(script).colorScheme.includes('dark')) keepLight(sheet)
  root.adoptedStyleSheets = [sheet]
  root.innerHTML = html
  for (const form of root.querySelectorAll('form')) {
    form.setAttribute('action', new URL(form.getAttribute('action') ?? '', script.src).href)
  }
  for (const link of root.querySelectorAll('a[href^="/"]'))
    link.setAttribute('href', new URL(link.getAttribute('href') ?? '', script.src).href)
  script.after(host)
  return root
}

// A page that doesn't declare a dark color scheme has none, and a dark form would look broken on it.
function keepLight(sheet: CSSStyleSheet) {
  sheet.insertRule(':host { color-scheme: light !important }', sheet.cssRules.length)
  for (const rule of sheet.cssRules) {
    if (rule instanceof CSSMediaRule && rule.conditionText.includes('dark')) rule.media.mediaText = 'not all'
  }
}
