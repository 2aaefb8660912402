import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { html: string }[]
}

interface AxeWindow {
  axe?: { run(options: object): Promise<{ violations: Violation[] }> }
}

/** Fails with what axe finds on the page as it is shown now; of all its rules, or of these. */
export async function checkAccessibility(page: Page, rules?: readonly string[]): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const violations = await page.evaluate(async (runOnly) => {
    // A color in the middle of its change is neither the old one nor the new. Other animations may never end.
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
