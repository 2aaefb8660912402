import type { LiveState } from './live-state.ts'

/** Milliseconds between polls while work is in progress. */
export const LOOK_EVERY_MS = 1_000

/** Returns the state of current work; undefined without a connection. */
export async function askForState(path: string): Promise<LiveState | undefined> {
  const headers = { accept: 'application/json' }
  const response = await fetch(path, { headers }).catch(() => undefined)
  return response?.ok ? response.json() : undefined
}

/** Shows a state in the marked elements. */
export function showState(root: ParentNode, { done, total, phase, left }: LiveState): void {
  const bar = root.querySelector<HTMLProgressElement>('[data-bar]')
  if (bar && total > 0) {
    bar.max = total
    bar.value = done
  } else bar?.removeAttribute('value')
  setText(root, '[data-phase]', phase)
  setText(root, '[data-left]', left)
}

// Writes only what differs, because screen readers announce a status that is written again.
function setText(root: ParentNode, selector: string, text: string) {
  const element = root.querySelector(selector)
  if (element && element.textContent !== text) element.textContent = text
}
