import assert from 'node:assert/strict'
import { test } from 'node:test'
import packageFile from '#package.json' with { type: 'json' }
import { COMPONENTS } from '#src/integration/components.ts'

test('a site can import every component that it can replace', () => {
  const exported = Object.entries(packageFile.exports).flatMap(([name, file]) => {
    const [, component] = /^\.\/components\/(\w+)\.astro$/.exec(name) ?? []
    return component ? [[component, file.replace('./package/src/', '')]] : []
  })
  assert.deepEqual(Object.fromEntries(exported), COMPONENTS)
})
