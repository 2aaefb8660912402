import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PROMISES } from '../../scripts/soak/promises.ts'
import { PROJECT_DIR } from '../support/running-site.ts'

test('each promise of npm run soak names a test that is there', () => {
  const missing = PROMISES.filter(({ file, name = '' }) => {
    const titles = readFileSync(join(PROJECT_DIR, file), 'utf8').matchAll(/^ *test\((['"`])(.*?)\1/gm)
    return ![...titles].some(([, , title = '']) => title.includes(name))
  })
  assert.deepEqual(missing, [])
})
