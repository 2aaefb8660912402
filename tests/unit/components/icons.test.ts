import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { PROJECT_DIR } from '../../support/running-site.ts'

const read = (file: string) => readFileSync(`${PROJECT_DIR}/${file}`, 'utf8')

// An unknown name draws nothing.
test('each icon that the admin names is drawn', () => {
  const drawn = new Set(
    [...read('src/admin/kit/Icon.astro').matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name),
  )
  const files = globSync(['src/admin/**/*.{astro,ts}', 'src/{pages/admin,layouts}/**/*.astro'], {
    cwd: PROJECT_DIR,
  })
  const named = files.flatMap((file) =>
    [...read(file).matchAll(/<Icon name="(\w+)"|\bicon(?:: |=)['"](\w+)['"]/g)].map(
      ([, inTemplate, inList]) => `${file}: ${inTemplate ?? inList}`,
    ),
  )
  assert.ok(drawn.size > 40 && named.length > 60, `${drawn.size} and ${named.length}`)
  const unknown = named.filter((one) => !drawn.has(one.split(': ')[1]))
  assert.deepEqual(unknown, [])
})
