import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { jsonColumn } from '#src/lib/json-column.ts'

const column = jsonColumn(z.object({ count: z.number() }))

test('a column decodes valid JSON of its schema; anything else is an issue', () => {
  assert.deepEqual(column.decode('{"count":3}'), { count: 3 })
  assert.equal(column.encode({ count: 3 }), '{"count":3}')
  const [issue] = column.safeDecode('{').error?.issues ?? []
  assert.deepEqual([issue?.code, issue?.message], ['custom', 'not_json'])
  assert.equal(column.safeDecode('{}').error?.issues[0]?.code, 'invalid_type')
})
