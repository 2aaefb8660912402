import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedWording } from '#src/forms/accepted-wording.ts'
import { aField } from '../../support/forms.ts'

const TERMS = aField({ type: 'checkbox', name: 'terms', label: 'I accept the [terms](/terms)' })
const NEWS = aField({ type: 'checkbox', name: 'news', label: 'Send me news' })
const EXTRAS = aField({
  ...{ type: 'checkbox', name: 'extras', label: 'Extras' },
  options: [{ label: 'True', value: 'true' }],
})
const NAME = aField({ name: 'name', label: 'Name' })

test('only the wording of checked boxes is stored', () => {
  const fields = [NAME, EXTRAS, TERMS, NEWS]
  const answers = { name: 'true', extras: ['true'], terms: true, news: false }
  assert.deepEqual(acceptedWording(fields, answers), { terms: 'I accept the [terms](/terms)' })
  assert.equal(acceptedWording(fields, { ...answers, terms: null }), undefined)
  assert.equal(acceptedWording([NAME, EXTRAS], { name: true, extras: true }), undefined)
})
