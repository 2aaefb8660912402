import type { LiveState } from './live-state.ts'

const INTERVAL_MS = 1_000

// Keeps the page about publishing up to date: the numbers in place, and the whole page once something is done.
const live = document.querySelector<HTMLElement>('[data-live]')
if (live) window.setTimeout(ask, INTERVAL_MS)

async function ask() {
  const response = await fetch('/admin/publish/progress', { headers: { accept: 'application/json' } }).catch(
    () => undefined,
  )
  if (response?.ok) show(await response.json())
  else window.setTimeout(ask, INTERVAL_MS)
}

function show(state: LiveState) {
  const wasPublishing = live?.dataset.live === 'publishing'
  if (state.isPublishing !== wasPublishing || !(state.isPublishing || state.isLooking)) {
    window.location.reload()
    return
  }
  const bar = document.querySelector<HTMLProgressElement>('[data-bar]')
  if (bar && state.total > 0) {
    bar.max = state.total
    bar.value = state.done
  }
  setText('[data-phase]', state.phase)
  setText('[data-left]', state.left)
  window.setTimeout(ask, INTERVAL_MS)
}

// Only what differs: a status that is written again is read out again.
function setText(selector: string, text: string) {
  const element = document.querySelector(selector)
  if (element && element.textContent !== text) element.textContent = text
}
