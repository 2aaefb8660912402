import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { atEnd } from '../support/at-end.ts'
import { freePort, INSTALLED_PROGRAM, scriptEnvironment, waitFor } from '../support/running-site.ts'

/** Checks that `signpost dev` shows own pages with placeholders, and edits of the content that they read. */
export async function checkOwnDevelopment(t: TestContext, { site }: { site: string }) {
  await t.test('signpost dev shows pages of getStaticPaths, and edits', async (t) => {
    const port = String(await freePort())
    const environment = { PORT: port, SITE_URL: `http://127.0.0.1:${port}` }
    const folders = { dataDir: join(site, 'data-dev'), contentDir: join(site, 'content') }
    const env = scriptEnvironment({ ...folders, environment })
    const child = spawn(process.execPath, [INSTALLED_PROGRAM, 'dev'], { cwd: site, env, stdio: 'ignore' })
    atEnd(t, async () => {
      const closed = once(child, 'close')
      child.kill()
      await closed
    })
    const shows = (text: string) => () =>
      fetch(`${environment.SITE_URL}/jobs/roof`).then(
        async (response) => response.ok && (await response.text()).includes(text),
        () => false,
      )
    const file = join(folders.contentDir, 'projects/roof.md')
    const text = readFileSync(file, 'utf8')
    const [, title = ''] = /title: (.+)/.exec(text) ?? []
    await waitFor(shows(`<h1>${title}</h1>`), 60_000)
    writeFileSync(file, text.replace(title, 'Slate roof'))
    await waitFor(shows('<h1>Slate roof</h1>'), 20_000)
    writeFileSync(file, text)
    assert.equal(child.exitCode, null)
  })
}
