import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PROMISES } from '#scripts/soak/promises.ts'
import { temporaryFolder } from '../support/database.ts'
import { PROJECT_DIR, runScript } from '../support/running-site.ts'

test('each promise of npm run soak names an existing test', () => {
  const missing = PROMISES.filter(({ file, name = '' }) => {
    const titles = readFileSync(join(PROJECT_DIR, file), 'utf8').matchAll(/^ *test\(\s*(['"`])(.*?)\1/gm)
    return ![...titles].some(([, , title = '']) => title.includes(name))
  })
  assert.deepEqual(missing, [])
})

test('an untested promise fails npm run soak, and a table test prints its number of cases', async (t) => {
  const soak = (word: string) =>
    runScript('soak.ts', {
      dataDir: temporaryFolder(t),
      environment: { TEST_DATABASE_URL: '', CI: '' },
      arguments: ['--short', '--only', word],
    })
  const untried = await soak('two processes')
  assert.equal(untried.code, 1)
  for (const part of [/\| not tested \|/, /^1 of 1 promises were not tested\. /m])
    assert.match(untried.output, part)
  const tried = await soak('as a literal or as a name')
  assert.equal(tried.code, 0)
  assert.match(tried.output, /\| (\d+) of \1 cases \| passed \|/)
})
