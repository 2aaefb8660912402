import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../../..')
const TAG = /<EditForm\b[\s\S]*?[^=]>/g

/** Forms that keep nothing typed, and why. */
const UNGUARDED: Record<string, string> = {
  'src/pages/admin/account/password.astro': 'a password',
  'src/pages/admin/account/two-factors/index.astro': 'a code',
  'src/pages/admin/forms/[form]/webhooks/[id]/replay.astro': 'a question before something is sent',
  'src/pages/admin/inbox/bulk.astro': 'a choice',
  'src/pages/admin/pictures/[id]/replacement.astro': 'a file',
  'src/pages/admin/privacy/index.astro': 'a search',
}

test('every admin form with typed input warns before leaving it', () => {
  const files = globSync('src/{pages/admin,admin}/**/*.astro', { cwd: ROOT })
  const tags = files.flatMap((file) =>
    (readFileSync(join(ROOT, file), 'utf8').match(TAG) ?? []).map((tag) => ({ file, tag })),
  )
  assert.ok(tags.length > 15)
  const unguarded = tags.filter(({ tag }) => !tag.includes('data-guarded')).map(({ file }) => file)
  assert.deepEqual(unguarded.sort(), Object.keys(UNGUARDED).sort())
})
