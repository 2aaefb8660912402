import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readForm } from '../../../src/components/admin/admin-form.ts'

function aPost(body: string, type = 'application/x-www-form-urlencoded') {
  return new Request('http://localhost/', { method: 'POST', headers: { 'content-type': type }, body })
}

test('what the admin is sent is text that both databases take', async () => {
  assert.deepEqual(
    await readForm(aPost('email=ann%00%40example.com&ids%5B%5D=1&ids%5B%5D=2&body=a%0D%0Ab')),
    {
      email: 'ann@example.com',
      ids: ['1', '2'],
      body: 'a\nb',
    },
  )
})

test('a post that is no form has no fields', async () => {
  assert.deepEqual(await readForm(aPost('{}', 'application/json')), {})
})
