import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { soakLength } from './soak.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { html: string }[]
}

interface AxeWindow {
  axe?: { run(options: object): Promise<{ violations: Violation[] }> }
}

/** Fails with axe's findings on the page in its current state, for all rules or just these. */
export async function checkAccessibility(page: Page, rules?: readonly string[]): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const violations = await page.evaluate(async (runOnly) => {
    // During a transition, a color is neither the old nor the new one. Other animations may never end.
    const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    await Promise.allSettled(changes.map(({ finished }) => finished))
    const found = await (window as AxeWindow).axe?.run({
      resultTypes: ['violations'],
      preload: false,
      runOnly,
    })
    return found?.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n  ')}`)
  }, rules)
  assert.deepEqual(violations, [], `${page.url()}\n${violations?.join('\n')}`)
}

/** The rules that depend on color scheme and width; everything else is the same in each. */
const RULES_OF_LOOKS = ['color-contrast', 'link-in-text-block', 'target-size']
const OTHER_LOOKS = (
  [
    { colorScheme: 'dark', width: 1280 },
    { colorScheme: 'light', width: 1280 },
    { colorScheme: 'dark', width: 390 },
  ] as const
).slice(0, soakLength(1, 3))

/**
 * Checks the page at 390 px in light and 1280 px in dark (with `SOAK=1`, both in both): axe finds nothing, and
 * nothing is wider than the screen.
 */
export async function checkEveryLook(page: Page): Promise<void> {
  await showLook(page, { colorScheme: 'light', width: 390 })
  await checkAccessibility(page)
  for (const look of OTHER_LOOKS) {
    await showLook(page, look)
    await checkAccessibility(page, RULES_OF_LOOKS)
  }
}

async function showLook(
  page: Page,
  { colorScheme, width }: { colorScheme: 'light' | 'dark'; width: number },
) {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: 800 })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  assert.ok(overflow <= 0, `${page.url()} is ${overflow} px too wide at ${width}`)
}
