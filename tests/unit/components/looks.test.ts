import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { COMPONENTS } from '#src/integration/components.ts'
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

/** What a look leaves out of the header and footer, because its pages show it elsewhere. */
const LEFT_OUT = ['quiet/Footer.astro: tagline']

test('a look’s own component shows all that the original shows of the layout', () => {
  const read = (file: string) => readFileSync(`${PROJECT_DIR}/${file}`, 'utf8')
  const keysIn = (text: string) => new Set([...text.matchAll(/\blayout\.(\w+)/g)].map(([, key = '']) => key))
  const originals = new Map<string, string>(Object.entries(COMPONENTS))
  const missing = globSync(['src/components/looks/**/*.astro', 'looks/**/*.astro'], {
    cwd: PROJECT_DIR,
  }).flatMap((file) => {
    const original = originals.get(basename(file, '.astro'))
    const own = keysIn(read(file))
    const all = original === undefined ? [] : [...keysIn(read(`src/${original}`))]
    return all.filter((key) => !own.has(key)).map((key) => `${file.split('looks/')[1]}: ${key}`)
  })
  assert.deepEqual(missing, LEFT_OUT)
})
