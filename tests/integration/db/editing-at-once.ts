import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createForm, editForm } from '#src/forms/edit-form.ts'
import { putField } from '#src/forms/fields/edit-fields.ts'
import { renameForm } from '#src/site/forms/rename-form.ts'
import type { TestEngine } from '../../support/database.ts'
import { aFormFile, storeForm } from '../../support/forms.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f']

/** What several administrators do to forms at the same moment. */
export function testEditingAtOnce(engine: TestEngine) {
  async function anEditor() {
    const db = await engine.openMigrated()
    const account = db.insertInto('admin_users').values({ email: 'ann@example.com' }).returning('id')
    return { db, editing: { updatedBy: (await account.executeTakeFirstOrThrow()).id, now: new Date() } }
  }

  test(`${engine.name}: concurrently added fields are all kept`, async () => {
    const { db, editing } = await anEditor()
    await storeForm(db, 'quote', { fields: [] })
    const add = (name: string) => editForm(db, 'quote', putField({ name, label: name }), editing)
    const outcomes = await Promise.all(NAMES.map(add))
    const fields = outcomes.map((outcome) => outcome.kind === 'saved' && outcome.value.fields.length)
    assert.deepEqual(fields.sort(), [1, 2, 3, 4, 5, 6])
  })

  test(`${engine.name}: of concurrent claims to a slug one succeeds`, async () => {
    const { db, editing } = await anEditor()
    const make = (name: string) => createForm(db, 'quote', aFormFile({ name }), editing)
    const kinds = (await Promise.all(NAMES.map(make))).map((outcome) =>
      outcome.kind === 'invalid' ? outcome.problems[0]?.code : outcome.kind,
    )
    assert.deepEqual(kinds.sort(), ['saved', 'taken', 'taken', 'taken', 'taken', 'taken'])
    await Promise.all(NAMES.map((slug) => storeForm(db, slug)))
    const rename = (slug: string) =>
      db.transaction().execute((trx) => renameForm(trx, slug, 'offer', { now: '2026-11-21T10:00:00.000Z' }))
    const renamed = await Promise.all(NAMES.map(rename))
    assert.deepEqual(renamed.sort(), ['renamed', 'taken', 'taken', 'taken', 'taken', 'taken'])
  })
}
