const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

// The server writes UTC; here each time is told in the viewer's zone and manner.
for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-shown]')) {
  const time = new Date(element.dateTime)
  element.textContent = (element.dataset.shown === 'day' ? DAY : SHORT).format(time)
  element.title = FULL.format(time)
}
