import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type ComponentOverrides, replaceComponents } from '#src/integration/replace-components.ts'
import { refuseUnknown } from '#src/integration/signpost-options.ts'
import { temporaryFolder } from '../../support/database.ts'

test('an unknown option of signpost() is refused with the nearest one', () => {
  assert.throws(() => refuseUnknown({ component: {} } as never), {
    code: 'optionUnknown',
    parts: ['component', 'components', 'components'],
  })
  assert.throws(() => refuseUnknown({ other: 1 } as never), {
    code: 'optionUnknown',
    parts: ['other', undefined, 'components'],
  })
  refuseUnknown({ components: {} })
})

function setUpIn(site: string, overrides: object) {
  const { hooks } = replaceComponents(overrides as ComponentOverrides)
  const config = { root: pathToFileURL(`${site}/`) }
  return () => hooks['astro:config:setup']?.({ config } as never)
}

test('an unknown component is refused with the nearest one, and a value that is not a path', (t) => {
  const setUp = (overrides: object) => setUpIn(temporaryFolder(t), overrides)
  const isNear = (name: string, near: string | undefined) => (error: { code: string; parts: string[] }) => {
    assert.deepEqual([error.code, ...error.parts.slice(0, 2)], ['nameUnknown', name, near])
    return true
  }
  assert.throws(setUp({ header: './Header.astro' }), isNear('header', 'Header'))
  assert.throws(setUp({ Hedaer: './Header.astro' }), isNear('Hedaer', 'Header'))
  assert.throws(setUp({ Newsletter: './Newsletter.astro' }), isNear('Newsletter', undefined))
  assert.throws(setUp({ Header: {} }), { code: 'notAPath', parts: ['Header'] })
})

test('a replacement is refused that is missing, a folder, or not an .astro file', (t) => {
  const site = temporaryFolder(t)
  mkdirSync(join(site, 'Folder.astro'))
  writeFileSync(join(site, 'Header.jsx'), '')
  for (const [path, code] of [
    ['Header.astro', 'fileMissing'],
    ['Header.jsx', 'notAComponent'],
    ['Header', 'notAComponent'],
    ['.', 'notAComponent'],
    ['Folder.astro', 'notAComponent'],
  ] as const)
    assert.throws(setUpIn(site, { Header: `./${path}` }), { code, parts: ['Header', join(site, path)] })
})
