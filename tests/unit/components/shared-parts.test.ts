import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const SHARED = /<Shared [^>]*>\s*(\S+ \S+)/g

// Astro evaluates other content of a component on every page, even if nothing shows it.
test('a part shared by pages is a function, which only the first page calls', () => {
  const uses = globSync('src/components/**/*.astro').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(SHARED)].map(([, start]) => ({ file, start })),
  )
  assert.ok(uses.length > 0)
  assert.deepEqual(
    uses.filter(({ start }) => start !== '{() =>'),
    [],
  )
})
