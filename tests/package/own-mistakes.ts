import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { INSTALLED_PROGRAM, scriptEnvironment, startSite } from '../support/running-site.ts'

/** A header with a prop that nobody passes, written for an earlier version of the original. */
export const OWN_MISTAKES: Readonly<Record<string, string>> = {
  'src/components/Header.astro': `---
import type { ComponentProps } from 'astro/types'
import Default from 'signpost/components/Header.astro'

type Props = ComponentProps<typeof Default> & { tone: string }

const { tone, ...props } = Astro.props
---

<Default {...props}>
  <p slot="before" data-tone={tone}>Call us today</p>
</Default>
`,
  'signpost.overrides.json': JSON.stringify({
    Header: { version: '0.0.9', hash: 'earlier', props: { layout: 'PageLayout', banner: 'string' } },
  }),
}

const DOUBTS = [
  /src\/components\/Header\.astro needs the prop "tone", which Header does not receive/,
  /src\/components\/Header\.astro was written for Header in Signpost 0\.0\.9: removed props banner/,
]

/** A footer that misunderstands the types of the original. */
const FOOTER = 'src/components/Footer.astro'
const WRONG_TYPES = `---
import type { ComponentProps } from 'astro/types'
import Default from 'signpost/components/Footer.astro'

type Props = ComponentProps<typeof Default>

const { layout } = Astro.props
const founded: number = layout.siteName
---

<Default />
<p>{founded} {layout.fax}</p>
`
const TYPE_ERRORS = [
  /^src\/components\/Footer\.astro:8:7 - .*'string' is not assignable to type 'number'/m,
  /^src\/components\/Footer\.astro:11:2 - .*\n *Property 'layout' is missing in type/m,
  /^src\/components\/Footer\.astro:12:22 - .*Property 'fax' does not exist on type 'LayoutView'/m,
]

const UNKNOWN =
  /astro\.config\.mjs: signpost\(\) cannot replace "Hedaer"\. Did you mean "Header"\? You can replace: Layout, Head, Header/

/** Checks that the start and `astro check` name what is wrong with components; `output` is that of the start. */
export async function checkOwnMistakes(t: TestContext, { site, output }: Mistaken) {
  const run = (dataDir: string, ...args: string[]) => {
    const env = scriptEnvironment({ dataDir: join(site, dataDir), contentDir: join(site, 'content') })
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: site,
      env,
      encoding: 'utf8',
      timeout: 60_000,
    })
    return { status, text: stripVTControlCharacters(stdout + stderr) }
  }
  const check = () => run('data', 'node_modules/astro/bin/astro.mjs', 'check')

  await t.test('the start and astro check name missing props and earlier versions', async (t) => {
    writeFileSync(join(site, FOOTER), WRONG_TYPES)
    const { status, text } = check()
    rmSync(join(site, FOOTER))
    for (const doubt of DOUBTS) {
      assert.match(output(), doubt)
      assert.match(text, doubt)
    }
    await t.test('astro check names wrong types and missing props, with file and line', () => {
      assert.equal(status, 1)
      for (const error of TYPE_ERRORS) assert.match(text, error)
    })
  })

  await t.test('a later start, which builds no templates, names them again', async () => {
    const [dataDir, contentDir] = [join(site, 'data-second'), join(site, 'content')]
    const second = await startSite(t, { siteDir: site, dataDir, contentDir })
    for (const doubt of DOUBTS) assert.match(second.output(), doubt)
    await second.end('SIGTERM')
  })

  await t.test('the start and astro check end with an unknown component name', () => {
    const file = join(site, 'astro.config.mjs')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace(' Header:', ' Hedaer:'))
    for (const { status, text } of [check(), run('data-unknown', INSTALLED_PROGRAM, 'start')]) {
      assert.equal(status, 1, text)
      assert.match(text, UNKNOWN)
    }
    writeFileSync(file, text)
  })
}

interface Mistaken {
  site: string
  output(): string
}
