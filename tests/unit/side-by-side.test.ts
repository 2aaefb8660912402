import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../support/database.ts'
import { ownEnvironment } from '../support/own-environment.ts'
import { PROJECT_DIR } from '../support/running-site.ts'

const SIDE_BY_SIDE = join(PROJECT_DIR, 'scripts/check/side-by-side.ts')

test('parallel checks all run, show their output, and fail together', (t) => {
  const cwd = temporaryFolder(t)
  const scripts = { good: 'echo of the good one', bad: 'echo of the bad one >&2; exit 3', last: 'echo last' }
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ scripts }))
  // npm itself may run by another Node.
  const env = ownEnvironment({ NODE_OPTIONS: '' })
  const run = (...lanes: string[]) =>
    spawnSync(process.execPath, [SIDE_BY_SIDE, ...lanes], { cwd, env, encoding: 'utf8' })
  const failed = run('bad last', 'good')
  assert.equal(failed.status, 1)
  assert.match(failed.stdout, /✖ npm run bad \(\d+ s\)\nof the bad one\n/)
  assert.match(failed.stdout, /✔ npm run last \(\d+ s\)\nlast\n/)
  assert.match(failed.stdout, /✔ npm run good \(\d+ s\)\nof the good one\n/)
  assert.equal(run('good').status, 0)
})
