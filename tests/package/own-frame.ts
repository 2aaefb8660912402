import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

const FONT = createRequire(import.meta.url).resolve(
  '@fontsource/newsreader/files/newsreader-latin-600-normal.woff2',
)
const FONT_FILE = 'src/assets/headings.woff2'

/** Setting of the configuration with a font of the site's own for headings. */
export const OWN_FONT = `fonts: [
    {
      provider: fontProviders.local(),
      name: 'Own Headings',
      cssVariable: '--heading',
      fallbacks: ['serif'],
      options: { variants: [{ src: ['./${FONT_FILE}'], weight: '600', style: 'normal' }] },
    },
  ],`

/** A menu and a head that fill slots of the originals. */
export const OWN_FRAME: Readonly<Record<string, string>> = {
  'src/components/Navigation.astro': `---
import type { ComponentProps } from 'astro/types'
import Default from 'signpost/components/Navigation.astro'

type Props = ComponentProps<typeof Default>
---

<Default {...Astro.props}>
  <a slot="after" href="/jobs">Our work</a>
</Default>
`,
  'src/components/Head.astro': `---
import type { ComponentProps } from 'astro/types'
import Default from 'signpost/components/Head.astro'

type Props = ComponentProps<typeof Default>

const { view } = Astro.props
---

<Default {view}>
  <meta name="own-head" content={view.layout.siteName}>
</Default>
`,
}

/** Puts the font into a site. */
export function placeOwnFont(site: string) {
  mkdirSync(join(site, 'src/assets'), { recursive: true })
  writeFileSync(join(site, FONT_FILE), readFileSync(FONT))
}

/** Checks what the slots and the font add to each page; the header is that of the site, too. */
export async function checkOwnFrame(t: TestContext, { url }: { url: string }) {
  for (const path of ['/', '/services/drain-cleaning/denver'])
    await t.test(`${path} has the site’s font, and what fills slots of header, menu, and head`, async () => {
      const html = await (await fetch(url + path)).text()
      assert.match(html, /<meta name="own-head" content="Front Range Plumbing">.*<\/head>/s)
      assert.match(html, /<p>Call us today<\/p>\s*<header\b/)
      assert.match(html, /<nav\b.*<a href="\/jobs">Our work<\/a>\s*<\/nav>.*<\/header>/s)
      const read = (pattern: RegExp) =>
        Promise.all([...html.matchAll(pattern)].map(async ([, file]) => fetch(url + file)))
      const styles = await Promise.all((await read(/href="([^"]+\.css)"/g)).map((answer) => answer.text()))
      assert.match(styles.join('\n'), /--heading:\s*"?Own Headings\b/)
      const fonts = await read(/<link rel="preload" href="([^"]+\.woff2)"/g)
      const bytes = await Promise.all(fonts.map(async (answer) => Buffer.from(await answer.arrayBuffer())))
      assert.ok(
        bytes.some((one) => one.equals(readFileSync(FONT))),
        'the font is preloaded',
      )
    })
}
