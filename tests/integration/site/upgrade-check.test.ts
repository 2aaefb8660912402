import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryFolder } from '../../support/database.ts'
import { startReceiver } from '../../support/receiver.ts'
import { runScript } from '../../support/running-site.ts'

test('signpost upgrade --check shows npm’s reason if the registry has no such version', async (t) => {
  const registry = await startReceiver(t, { status: 404, body: '{"error":"not found"}' })
  const [dataDir, cache] = [temporaryFolder(t), temporaryFolder(t)]
  const environment = { npm_config_registry: registry.url, npm_config_cache: cache }
  const check = (...to: string[]) =>
    runScript('upgrade.ts', { dataDir, environment, arguments: ['--check', ...to] })
  const { code, output } = await check()
  assert.equal(code, 1, output)
  assert.match(output, /^npm can’t download signpost@latest: 404 Not Found[^\n]*127\.0\.0\.1.*with --to/m)
  assert.match((await check('--to', '9.9.9')).output, /^npm can’t download signpost@9\.9\.9: 404/m)
  assert.match(
    (await check('--to', './none.tgz')).output,
    /^\.\/none\.tgz is not a Signpost version or tarball/m,
  )
})
