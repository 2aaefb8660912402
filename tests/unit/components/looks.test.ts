import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { PROJECT_DIR } from '../../support/running-site.ts'

test('no component and no look draws the example’s state or names its business', () => {
  const files = globSync(
    ['src/components/**/*.{astro,ts}', 'src/styles/**/*.css', 'looks/**/*.{astro,css,json}'],
    {
      cwd: PROJECT_DIR,
    },
  )
  assert.ok(files.length > 80)
  for (const file of files) {
    const withoutComments = readFileSync(`${PROJECT_DIR}/${file}`, 'utf8').replace(
      /\/\*.*?\*\/|\/\/[^\n]*/gs,
      '',
    )
    assert.doesNotMatch(withoutComments, /texas|lone ?star/i, file)
  }
})
