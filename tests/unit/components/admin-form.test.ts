import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readForm } from '#src/admin/kit/admin-form.ts'
import { readId } from '#src/admin/kit/page-context.ts'

function aPost(body: string, type = 'application/x-www-form-urlencoded') {
  return new Request('http://localhost/', { method: 'POST', headers: { 'content-type': type }, body })
}

test('admin input is text that both databases accept', async () => {
  assert.deepEqual(
    await readForm(aPost('email=ann%00%40example.com&ids%5B%5D=1&ids%5B%5D=2&body=a%0D%0Ab')),
    {
      email: 'ann@example.com',
      ids: ['1', '2'],
      body: 'a\nb',
    },
  )
})

test('a post that isn’t a form has no fields', async () => {
  assert.deepEqual(await readForm(aPost('{}', 'application/json')), {})
})

test('an ID in a URL is an integer within both databases’ range, or undefined', () => {
  assert.equal(readId('7'), 7)
  for (const text of ['1.5', '1e30', '-1', ' 7', '0x7', 'x', '9'.repeat(16), '', null, undefined])
    assert.equal(readId(text), 0, String(text))
})
