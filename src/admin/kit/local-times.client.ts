const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const DAY_OF_YEAR = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })

// The server writes times in the site's zone; this shows each in the viewer's zone and format.
for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-shown][datetime]')) {
  const time = new Date(element.dateTime)
  element.textContent = formatOf(element.dataset.shown, time).format(time)
  element.title = FULL.format(time)
}

function formatOf(shown: string | undefined, time: Date): Intl.DateTimeFormat {
  if (shown === 'time') return SHORT
  if (shown === 'day') return DAY
  const now = new Date()
  if (time.toDateString() === now.toDateString()) return TIME
  return time.getFullYear() === now.getFullYear() ? DAY_OF_YEAR : DAY
}
