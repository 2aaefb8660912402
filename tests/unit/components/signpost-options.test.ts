import assert from 'node:assert/strict'
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

test('an unknown component is refused with the nearest one, and a value that is not a path', (t) => {
  const setUp = (overrides: object) => {
    const { hooks } = replaceComponents(overrides as ComponentOverrides)
    const config = { root: pathToFileURL(`${temporaryFolder(t)}/`) }
    return () => hooks['astro:config:setup']?.({ config } as never)
  }
  const isNear = (name: string, near: string | undefined) => (error: { code: string; parts: string[] }) => {
    assert.deepEqual([error.code, ...error.parts.slice(0, 2)], ['nameUnknown', name, near])
    return true
  }
  assert.throws(setUp({ header: './Header.astro' }), isNear('header', 'Header'))
  assert.throws(setUp({ Hedaer: './Header.astro' }), isNear('Hedaer', 'Header'))
  assert.throws(setUp({ Newsletter: './Newsletter.astro' }), isNear('Newsletter', undefined))
  assert.throws(setUp({ Header: {} }), { code: 'notAPath', parts: ['Header'] })
})
