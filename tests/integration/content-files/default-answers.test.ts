import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findForm, saveForm, toFormDefinition } from '#src/forms/form-store.ts'
import { placed } from '../../support/wording.ts'
import { NOW, openWorkspace, type Workspace } from './workspace.ts'

const FORM = 'forms/quote.yaml'

function aForm(building: string, { name = 'Quote' } = {}) {
  return `name: ${name}
fields:
  - { name: full_name, label: Name }
  - name: building
    label: Building
    type: select
    options: [House/h, Flat/f]
    default_value: ${building}
`
}

// The rows of a release that took any text for a default answer.
async function storeAsBefore({ db }: Workspace, default_value: string) {
  const form = await findForm(db, 'quote')
  assert.ok(form)
  const definition = toFormDefinition(form)
  const fields = definition.fields.map((field) =>
    field.name === 'building' ? { ...field, default_value } : field,
  )
  await saveForm(db, 'quote', { ...definition, fields }, { now: NOW.toISOString() })
}

const FAULT = `${FORM}:8: fields[2].default_value: the default answer "House" fails the field's own validation: Choose one of the options`

test('§2.2 a default answer that isn’t a choice is an error with its line', async (t) => {
  const workspace = await openWorkspace(t, { [FORM]: aForm('House') })
  const result = await workspace.sync()
  assert.equal(result.kind, 'mistakes')
  assert.deepEqual(result.mistakes.map(placed), [FAULT])
})

test('§2.2 a default answer synced before it was checked is a warning until its field is edited', async (t) => {
  const workspace = await openWorkspace(t, { [FORM]: aForm('h') })
  await workspace.synced()
  await storeAsBefore(workspace, 'House')
  for (const name of ['Quote', 'Ask for a quote']) {
    workspace.write(FORM, aForm('House', { name }))
    const result = await workspace.sync({ prefer: 'file' })
    assert.equal(result.kind, 'synced', JSON.stringify(result))
    assert.deepEqual(result.warnings.map(placed), [FAULT])
  }
  workspace.write(FORM, aForm('Home'))
  assert.equal((await workspace.sync()).kind, 'mistakes')
})
