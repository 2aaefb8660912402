import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metaLabel } from '#src/messages/admin/webhooks/meta-labels.ts'
import { META_KEYS } from '#src/templates/meta.ts'

test('every key of meta has a name of its own', () => {
  const labels = META_KEYS.map(metaLabel)
  assert.deepEqual(
    META_KEYS.filter((key, index) => labels[index] === key),
    [],
  )
  assert.equal(new Set(labels).size, META_KEYS.length)
  assert.equal(metaLabel('first_utm_campaign'), 'Campaign (first visit)')
})
