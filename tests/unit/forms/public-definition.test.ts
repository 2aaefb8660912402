import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toPublicForm } from '#src/forms/public-definition.ts'
import { aField, aForm } from '../../support/forms.ts'

test('contract §5 the public definition contains what is needed to render the form', () => {
  const fields = [aField({ name: 'email', type: 'email', validation: { max_length: 150 }, helpText: 'Work' })]
  assert.deepEqual(toPublicForm(aForm({ slug: 'contact', name: 'Contact', fields })), {
    slug: 'contact',
    name: 'Contact',
    description: null,
    version: 1,
    fields: [
      {
        name: 'email',
        type: 'email',
        label: 'Answer',
        placeholder: null,
        default_value: null,
        required: false,
        options: [],
        validation: { max_length: 150 },
        help_text: 'Work',
      },
    ],
  })
})

test('contract §5 the public definition never contains the notification address or the decoy’s name', () => {
  const settings = { notification_email: 'office@example.com', honeypot: 'website' }
  assert.doesNotMatch(JSON.stringify(toPublicForm(aForm({ settings }))), /office@|website|settings/)
})
