// Shares nothing with the script of forms: a common file would be one more to load, and `embed.js` is one file.
const KEY = 'signpost:visit'

const MOST_PAGES = 30
const TAGS =
  'utm_source utm_medium utm_campaign utm_term utm_content gclid gbraid wbraid msclkid fbclid'.split(' ')

/**
 * Notes where this visit came from, in the tab's own storage and nowhere else: the first and the last time that the visitor
 * came from another site or by a tagged link, and the pages seen. Not for visitors who ask not to be followed (Global
 * Privacy Control).
 */
function noteVisit() {
  // Storage may be blocked or full.
  try {
    if (!(navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl) note()
  } catch {}
}

function note() {
  const { pathname, search, origin } = location
  const visit = JSON.parse(sessionStorage.getItem(KEY) || '{"pages":[]}')
  const from = document.referrer && new URL(document.referrer)
  const touch: Record<string, string> = { at: new Date().toISOString(), landing_page: pathname }
  let isTouch = !visit.first
  if (from && from.origin !== origin) {
    touch.referrer = from.href
    isTouch = true
  }
  const query = new URLSearchParams(search)
  for (const tag of TAGS) {
    const value = query.get(tag)
    if (value) {
      touch[tag] = value.slice(0, 512)
      isTouch = true
    }
  }
  if (isTouch) visit.last = touch
  visit.first ??= touch
  if (visit.pages.at(-1) !== pathname) visit.pages = [...visit.pages, pathname].slice(-MOST_PAGES)
  sessionStorage.setItem(KEY, JSON.stringify(visit))
}

noteVisit()
