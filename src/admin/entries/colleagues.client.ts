import { colleagueTexts } from '#src/messages/admin/editing.ts'
import { formatRecent } from '../kit/format-time.ts'

// Shows who else has this editor open. It locks nothing: a save over another user's save is still refused.
const EVERY_MS = 20_000
/** Nobody is editing after that without a touch of the page; a session may end then, too. */
const IDLE_AFTER_MS = 10 * 60_000

interface Colleague {
  name: string
  since: string
}

const notice = document.querySelector<HTMLElement>('[data-colleagues]')
if (notice?.dataset.colleagues) start(notice, notice.dataset.colleagues)

function start(notice: HTMLElement, address: string) {
  let touchedAt = Date.now()
  const say = async () => {
    if (document.visibilityState !== 'visible' || Date.now() - touchedAt > IDLE_AFTER_MS) return
    const answer = await fetch(address, { method: 'POST', body: new URLSearchParams({ act: 'open' }) }).catch(
      () => undefined,
    )
    if (answer?.headers.get('content-type')?.startsWith('application/json')) show(notice, await answer.json())
  }
  for (const event of ['keydown', 'pointerdown'] as const)
    document.addEventListener(event, () => {
      touchedAt = Date.now()
    })
  setInterval(say, EVERY_MS)
  // Also when it comes back from the browser's memory.
  addEventListener('pageshow', say)
  addEventListener('pagehide', () => navigator.sendBeacon(address, new URLSearchParams({ act: 'leave' })))
}

function show(notice: HTMLElement, colleagues: readonly Colleague[]) {
  const { timeZone = 'UTC' } = document.body.dataset
  const text = colleagues
    .map(({ name, since }) => colleagueTexts.isEditing(name, formatRecent(since, timeZone)))
    .join(' ')
  if (notice.textContent !== text) notice.textContent = text
  notice.hidden = text === ''
}
