import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { atEnd } from '../support/at-end.ts'
import { needsPostgres, postgresDatabase } from '../support/postgres-database.ts'
import {
  collectOutput,
  freePort,
  INSTALLED_PROGRAM,
  scriptEnvironment,
  waitFor,
} from '../support/running-site.ts'
import { buildOwnSite } from './own-pages.ts'

/** Checks the hooks of a site on PostgreSQL, in a publish and in `signpost dev`, which a change to the configuration restarts. */
export async function checkOwnPostgres(t: TestContext, { site }: { site: string }) {
  await t.test('hooks run on PostgreSQL, in a publish and in signpost dev', needsPostgres, async (t) => {
    const { url: databaseUrl } = await postgresDatabase(t)
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const dataDir = join(site, 'data-postgres')
    rmSync(join(site, 'data/published.json'))
    buildOwnSite(site, url, { dataDir, environment: { DATABASE_URL: databaseUrl } })
    const { changes } = JSON.parse(readFileSync(join(site, 'data/published.json'), 'utf8'))
    assert.ok(changes.some((one: { path: string }) => one.path === '/jobs'))

    const environment = { DATABASE_URL: databaseUrl, ASTRO_TELEMETRY_DISABLED: '1' }
    const child = spawn(process.execPath, [INSTALLED_PROGRAM, 'dev'], {
      cwd: site,
      env: scriptEnvironment({ dataDir, contentDir: join(site, 'content'), port, environment }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = collectOutput(child.stdout, child.stderr)
    atEnd(t, async () => {
      const closed = once(child, 'close')
      child.kill()
      await closed
    })
    const read = (path: string) => fetch(url + path).then(async (answer) => (answer.ok ? answer.text() : ''))
    const shows = (path: string, text: string) => async () =>
      (await read(path).catch(() => '')).includes(text)
    await waitFor(shows('/', 'name="hooked"'), 60_000)
    assert.match(await read('/jobs'), /School roof|Tin roof/)
    const post = (name: string) =>
      fetch(`${url}/api/forms/quote/submissions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ full_name: name, phone: '(303) 555-0104' }),
      })
    assert.equal((await post('Mallory')).status, 422)
    const { id } = (await (await post('Peggy')).json()) as { id: number }
    const file = join(site, `data/lead-${id}.json`)
    await waitFor(() => existsSync(file) && readFileSync(file, 'utf8').includes('Peggy'))

    appendFileSync(join(site, 'astro.config.mjs'), '// Other settings\n')
    await waitFor(() => /server restart(ed| failed)/.test(output()), 60_000)
    assert.doesNotMatch(output(), /server restart failed/)
    await waitFor(shows('/', 'name="hooked"'), 60_000)
    assert.equal((await post('Victor')).status, 201)
  })
}
