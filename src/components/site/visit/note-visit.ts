export {}

// As in the form script (../forms/form-script.ts).
declare const embeddedForm: unknown

// Shares no code with the form script: a common file would be one more to load, and `embed.js` is a single file.
const KEY = 'signpost:visit'
const MOST_PAGES = 30
const TAGS =
  'utm_source utm_medium utm_campaign utm_term utm_content gclid gbraid wbraid msclkid fbclid'.split(' ')

const { pathname, search } = location
// The visit as stored in the tab.
let noted = ''
let isArrival = false

/**
 * Records the source of this visit in the tab's own storage: the first and last arrival from another site or through
 * a tagged link, and the pages seen.
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

// Storage may be blocked or full. Visitors who opt out of tracking (Global Privacy Control) are never recorded.
try {
  if (!(navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl) noteVisit()
} catch {}

// Skipped if the form is on another site.
if (typeof embeddedForm === 'undefined') {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  // The server counts the pages it serves and says so; on other hosts the page reports its view.
  if (page?.serverTiming?.every(({ name }) => name !== 'counted')) tell('view', isArrival ? noted : '')
  addEventListener('click', ({ target }) => {
    if ((target as Element).closest('[href^="tel:"]')) tell('tap', noted)
  })
}
