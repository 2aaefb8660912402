import { askForState, LOOK_EVERY_MS, showState } from './show-live-state.ts'

// Keeps the publish page up to date: updates the numbers in place, and reloads the page when something is done.
const live = document.querySelector<HTMLElement>('[data-live]')
if (live) window.setTimeout(look, LOOK_EVERY_MS)

async function look() {
  const state = await askForState('/admin/publish/progress')
  const wasPublishing = live?.dataset.live === 'publishing'
  if (state && (state.isPublishing !== wasPublishing || !(state.isPublishing || state.isLooking)))
    return window.location.reload()
  if (state) showState(document, state)
  window.setTimeout(look, LOOK_EVERY_MS)
}
