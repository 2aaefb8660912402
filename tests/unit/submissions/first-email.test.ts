import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstEmail } from '#src/submissions/intake/first-email.ts'
import { aField } from '../../support/forms.ts'

test('a reply goes to the first filled-in email answer', () => {
  const fields = [
    aField({ name: 'text' }),
    aField({ name: 'office', type: 'email' }),
    aField({ name: 'home', type: 'email' }),
  ]
  assert.equal(
    firstEmail({ text: 'a@b.c', office: null, home: 'ann@example.com' }, fields),
    'ann@example.com',
  )
  assert.equal(firstEmail({ office: 'o@example.com', home: 'ann@example.com' }, fields), 'o@example.com')
  assert.equal(firstEmail({ text: 'a@b.c', office: '', home: 7 }, fields), undefined)
})
