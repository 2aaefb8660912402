/** A form for a page of another website: its markup and language as on its own page, and styles. */
export interface EmbeddedForm {
  html: string
  lang: string
  dir: string
  styles: string
}

/**
 * Places the form where the running `<script src=".../forms/<slug>/embed.js">` stands, inside a shadow root, so that no
 * styles get in or out. It posts to the site that the script came from.
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

// A page that says nothing of a dark look has none, and a dark form on it would look broken.
function keepLight(sheet: CSSStyleSheet) {
  sheet.insertRule(':host { color-scheme: light !important }', sheet.cssRules.length)
  for (const rule of sheet.cssRules) {
    if (rule instanceof CSSMediaRule && rule.conditionText.includes('dark')) rule.media.mediaText = 'not all'
  }
}
