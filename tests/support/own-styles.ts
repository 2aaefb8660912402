import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { PROJECT_DIR } from './running-site.ts'

/** Lists the custom properties in the section about styles of docs/own-site.md. */
export function documentedProperties(): string[] {
  const text = readFileSync(join(PROJECT_DIR, 'docs/own-site.md'), 'utf8')
  const [styles = ''] = /## Styles\n.*?(?=\n\n[^\n]*theme\.colors)/s.exec(text) ?? []
  return [...new Set([...styles.matchAll(/`(--[\w-]+)`/g)].map(([, name = '']) => name))]
}

/** Returns the distinct colors of the page's links with a stylesheet of the site's own. */
export async function colorsWith(page: Page, css: string): Promise<string[]> {
  await adopt(page, css)
  return page.evaluate(() => [
    ...new Set([...document.querySelectorAll('a')].map((link) => getComputedStyle(link).color)),
  ])
}

/** Lists the custom properties of which another value changes nothing on the page. */
export async function uselessProperties(page: Page, names: readonly string[]): Promise<string[]> {
  const usual = await looksWith(page, '')
  const useless = []
  for (const name of names)
    if ((await looksWith(page, `:root { ${name}: ${anotherValueOf(name)} }`)) === usual) useless.push(name)
  return useless
}

function anotherValueOf(name: string): string {
  if (/font|heading/.test(name)) return 'monospace'
  return name.includes('radius') ? '17px' : 'rgb(1, 2, 3)'
}

// How all elements of the page look with a stylesheet of the site's own.
async function looksWith(page: Page, css: string): Promise<string> {
  await adopt(page, css)
  return page.evaluate(() =>
    [...document.querySelectorAll('html, body, body *')]
      .map((element) => {
        const { color, backgroundColor, borderTopColor, borderTopLeftRadius, fontFamily } =
          getComputedStyle(element)
        return [color, backgroundColor, borderTopColor, borderTopLeftRadius, fontFamily].join()
      })
      .join('\n'),
  )
}

// The Content Security Policy blocks style elements, and a transition would show the former color.
async function adopt(page: Page, css: string) {
  await page.evaluate((text) => {
    const [still, own] = [new CSSStyleSheet(), new CSSStyleSheet()]
    still.replaceSync('* { transition: none !important }')
    own.replaceSync(text)
    document.adoptedStyleSheets = [still, own]
  }, css)
}
