import { waitFor } from '../running-site.ts'
import type { BrowserTab } from './tab.ts'

export const SEND = 'form[data-form] button[type=submit]'

export interface Focused {
  text: string
  /** True if its first line is in the window, and not behind the bar at the bottom. */
  isInView: boolean
  /** Pixels from the top of the window, for failure messages. */
  top: number
}

/**
 * Does something that moves the focus to an element; returns what the visitor sees of that element in the next
 * frame, when a smooth scroll has barely started.
 */
export async function focusAfter(
  tab: BrowserTab,
  wanted: string,
  act: () => Promise<unknown>,
): Promise<Focused> {
  await tab.run(recordFocus, wanted)
  await act()
  await waitFor(() => tab.run(() => 'focusedLast' in window, null))
  return tab.run(() => (window as unknown as { focusedLast: Focused }).focusedLast, null)
}

// Runs in the page, without access to this file.
function recordFocus(wanted: string) {
  const seen = window as unknown as { focusedLast?: Focused }
  delete seen.focusedLast
  requestAnimationFrame(wait)
  // Doesn't use an event, because a background window gets none.
  function wait() {
    const target = document.activeElement
    const isWanted = target instanceof HTMLElement && target.matches(wanted)
    requestAnimationFrame(isWanted ? () => look(target) : wait)
  }
  function look(target: HTMLElement) {
    const range = document.createRange()
    range.selectNodeContents(target)
    const line = range.getClientRects()[0] ?? target.getBoundingClientRect()
    const bar = document.querySelector('.sp-bar')?.getBoundingClientRect()
    const end = bar && bar.height > 0 && bar.top < innerHeight ? bar.top : innerHeight
    seen.focusedLast = {
      text: target.textContent?.trim().replace(/\s+/g, ' ') ?? '',
      isInView: line.top >= 0 && line.bottom <= end,
      top: Math.round(line.top),
    }
  }
}

/** Waits until the page reports it. A page that is loading doesn't respond. */
export function waitUntil<A>(tab: BrowserTab, holds: (argument: A) => boolean, argument: A): Promise<void> {
  return waitFor(() => tab.run(holds, argument).catch(() => false))
}

/** Fills in the form's fields as if typed, including dates and choices, which each browser shows differently. */
export function fillForm(tab: BrowserTab, answers: Record<string, string>): Promise<void> {
  return tab.run((given) => {
    for (const [name, answer] of Object.entries(given)) {
      const controls = document.querySelectorAll<HTMLInputElement>(`form[data-form] [name="${name}"]`)
      for (const control of controls) {
        if (['radio', 'checkbox'].includes(control.type)) control.checked = control.value === answer
        else control.value = answer
      }
    }
  }, answers)
}
