import { askForState, LOOK_EVERY_MS, showState } from '../show-live-state.ts'

// Shows the progress of previews. A page with a new link isn't reloaded, because it shows the link only once.
for (const part of document.querySelectorAll<HTMLElement>('[data-making]'))
  window.setTimeout(look, LOOK_EVERY_MS, part)

async function look(part: HTMLElement) {
  const state = await askForState(`/admin/publish/previews/${part.dataset.making}/progress`)
  if (state && !state.isPublishing) return end(part, state.phase)
  if (state) showState(part, state)
  window.setTimeout(look, LOOK_EVERY_MS, part)
}

function end(part: HTMLElement, text: string) {
  const state = part.closest('[data-link-state]')?.querySelector('p')
  if (!state) return document.querySelector('[data-new-link]') ? part.remove() : window.location.reload()
  state.textContent = text
  part.remove()
}
