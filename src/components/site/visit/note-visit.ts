export {}

// As in the script of forms (../forms/form-script.ts).
declare const embeddedForm: unknown

// Shares nothing with the script of forms: a common file would be one more to load, and `embed.js` is one file.
const KEY = 'signpost:visit'
const MOST_PAGES = 30
const TAGS =
  'utm_source utm_medium utm_campaign utm_term utm_content gclid gbraid wbraid msclkid fbclid'.split(' ')

const { pathname, search } = location
// The visit as the tab remembers it.
let noted = ''
let isArrival = false

/**
 * Notes where this visit came from, in the tab's own storage and nowhere else: the first and the last time that the visitor
 * came from another site or by a tagged link, and the pages seen.
 */
function noteVisit() {
  const visit = JSON.parse(sessionStorage[KEY] || '{"pages":[]}')
  const touch: Record<string, string> = { at: new Date().toISOString(), landing_page: pathname }
  const from = document.referrer
  isArrival = !visit.first
  if (from && new URL(from).origin !== location.origin) {
    touch.referrer = from
    isArrival = true
  }
  const query = new URLSearchParams(search)
  for (const tag of TAGS) {
    const value = query.get(tag)
    if (value) {
      touch[tag] = value.slice(0, 512)
      isArrival = true
    }
  }
  if (isArrival) visit.last = touch
  visit.first ??= touch
  if (visit.pages.at(-1) !== pathname) visit.pages = [...visit.pages, pathname].slice(-MOST_PAGES)
  noted = sessionStorage[KEY] = JSON.stringify(visit)
}

function tell(event: 'view' | 'tap', visit: string) {
  navigator.sendBeacon('/api/visits', new URLSearchParams({ event, page: pathname, visit }))
}

// Storage may be blocked or full. Visitors who ask not to be followed (Global Privacy Control) are not.
try {
  if (!(navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl) noteVisit()
} catch {}

// Not where a form is on another site.
if (typeof embeddedForm === 'undefined') {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  // The server counts the pages that it serves, and says so; other hosts do not count.
  if (page?.serverTiming?.every(({ name }) => name !== 'counted')) tell('view', isArrival ? noted : '')
  addEventListener('click', ({ target }) => {
    if ((target as Element).closest('[href^="tel:"]')) tell('tap', noted)
  })
}
