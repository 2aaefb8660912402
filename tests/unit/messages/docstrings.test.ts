import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../../..')
/** A clause in place of a noun, at the start of a comment. */
const CLAUSE = /(?:\/\*\*|\/\/|\/\*\*\n\s*\*) (?:What|Whether|How|Who|Where|Which) [^\n]*/g

test('comments start with a verb or a noun', () => {
  const files = globSync('{src,scripts}/**/*.{ts,astro}', { cwd: ROOT })
  assert.ok(files.length > 1_000, String(files.length))
  const wrong = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(CLAUSE)]
      // The rest of a comment that goes on from the line above.
      .filter(
        ({ index, input }) => !/\/\/ ?\S[^\n]*\n\s*$/.test(input.slice(Math.max(0, index - 200), index)),
      )
      .map(([comment]) => `${file}: ${comment}`),
  )
  assert.deepEqual(wrong, [])
})
