import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, readFilter } from '#src/admin/deliveries/delivery-filter.ts'

const read = (query: string) => readFilter(new URLSearchParams(query))

test('the address of a list of deliveries keeps every filter and the position', () => {
  const { filter, before } = read('form=3&webhook=4&submission=5&status=failed&before=60')
  assert.deepEqual(filter, { formId: 3, webhookId: 4, submissionId: 5, status: 'failed' })
  assert.equal(before, 60)
  assert.equal(
    addressOf(filter, before),
    '/admin/deliveries?form=3&webhook=4&submission=5&status=failed&before=60',
  )
  assert.equal(addressOf({ status: 'cancelled' }), '/admin/deliveries?status=cancelled')
})

test('invalid values don’t narrow a list', () => {
  const none = { formId: undefined, webhookId: undefined, submissionId: undefined, status: undefined }
  for (const query of [
    '',
    'form=0&status=lost',
    'form=1.5&before=-1',
    'form=x1',
    `form=1x&before=${'1'.repeat(16)}`,
  ])
    assert.deepEqual(read(query), { filter: none, before: undefined }, query)
  assert.equal(read(`before=${'1'.repeat(15)}`).before, 111_111_111_111_111)
  assert.equal(addressOf(none), '/admin/deliveries')
})
