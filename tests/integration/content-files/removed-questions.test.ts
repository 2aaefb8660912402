import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { exportContent } from '#src/content-files/export-content.ts'
import { findForm, saveForm, toFormDefinition } from '#src/forms/form-store.ts'
import { temporaryFolder } from '../../support/database.ts'
import { placed } from '../../support/wording.ts'
import { NOW, openWorkspace, secretBox, type Workspace } from './workspace.ts'

const FORM = 'forms/quote.yaml'

function aForm(town = 'Austin') {
  return `name: Quote
fields:
  - { name: full_name, label: Name }
  - { name: town, label: Town }
settings:
  notifications:
    - to: [office@example.com]
      subject: Lead from {{town}}
webhooks:
  - name: Texas office
    url: https://hooks.example.com/texas
    payload_template: { where: "{{town}}" }
    fire_on: { field: town, op: eq, value: ${town} }
`
}

// As an administrator who is warned that the email and the webhook still mention it.
async function removeQuestion({ db }: Workspace, name: string) {
  const form = await findForm(db, 'quote')
  assert.ok(form)
  const definition = toFormDefinition(form)
  const fields = definition.fields.filter((field) => field.name !== name)
  await saveForm(db, 'quote', { ...definition, fields }, { now: NOW.toISOString() })
}

async function exported(t: TestContext, { db, pictureFiles }: Workspace) {
  const out = join(temporaryFolder(t), 'export')
  await exportContent(db, { out, environment: {}, secretBox, pictureFiles })
  return out
}

test('contract §3 an exported form whose webhook and email mention a removed question syncs without changes', async (t) => {
  const workspace = await openWorkspace(t, { [FORM]: aForm() })
  await workspace.synced()
  await removeQuestion(workspace, 'town')
  const contentDir = await exported(t, workspace)
  const result = await workspace.sync({ contentDir, prefer: 'file' })
  assert.equal(result.kind, 'synced', JSON.stringify(result))
  assert.deepEqual([result.changes.added, result.changes.changed, result.changes.removed], [[], [], []])
  assert.deepEqual(
    result.warnings.map(({ fault }) => fault.code),
    ['value_faulty', 'value_faulty', 'value_faulty'],
  )
})

test('a mention of a question that the form doesn’t have is an error if it is new, or in a changed part', async (t) => {
  const workspace = await openWorkspace(t, { [FORM]: aForm() })
  await workspace.synced()
  await removeQuestion(workspace, 'town')
  const without = (text: string) => text.replace('  - { name: town, label: Town }\n', '')
  workspace.write(FORM, without(aForm()))
  assert.equal((await workspace.sync({ prefer: 'file' })).kind, 'synced')
  workspace.write(FORM, without(aForm('Dallas')))
  const result = await workspace.sync()
  assert.equal(result.kind, 'mistakes')
  assert.deepEqual(result.mistakes.map(placed), [
    `${FORM}:12: fire_on: unknown reference "town", expected a form field (full_name) or meta.<key>`,
  ])
  const other = await openWorkspace(t, { [FORM]: without(aForm()) })
  const refused = await other.sync()
  assert.equal(refused.kind, 'mistakes')
  assert.deepEqual(
    refused.mistakes.map(({ line }) => line),
    [7, 11, 12],
  )
})
