import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAskedForms } from '#src/submissions/intake/asked-form.ts'
import { createFormCache } from '#src/submissions/intake/form-cache.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aDesk } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'

const START = Date.parse('2026-11-20T10:00:00.000Z')

test('a form is cached for a second, until a local change or a clock set back', async (t) => {
  const db = await openTestDatabase(t)
  const clock = { time: START }
  const cache = createFormCache({ db, now: () => new Date(clock.time) })
  const nameAt = async (ms: number) => {
    clock.time = START + ms
    return (await cache.find('quote'))?.form.name
  }
  assert.equal(await nameAt(0), undefined)
  await storeForm(db, 'quote', { name: 'First' })
  assert.equal(await nameAt(0), 'First')
  await storeForm(db, 'quote', { name: 'Second' })
  assert.deepEqual([await nameAt(0), await nameAt(1_000), await nameAt(1_001)], ['First', 'First', 'Second'])
  await storeForm(db, 'quote', { name: 'Third' })
  assert.equal(await nameAt(1_002), 'Second')
  cache.invalidate()
  assert.equal(await nameAt(1_002), 'Third')
  await storeForm(db, 'quote', { name: 'Fourth' })
  assert.equal(await nameAt(1_001), 'Fourth')
})

test('missing forms aren’t cached, and failed reads are retried', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote')
  let trouble: Error | undefined = new Error('away')
  const keepsSources = async () => {
    if (trouble) throw trouble
    return false
  }
  const cache = createFormCache({ db, now: () => new Date(START), keepsSources })
  await assert.rejects(cache.find('quote'), /away/)
  trouble = undefined
  const found = await cache.find('quote')
  assert.deepEqual([found?.form.slug, found?.keepsSources], ['quote', false])
})

test('a post is checked against its page’s version of the form', async (t) => {
  const db = await openTestDatabase(t)
  const label = (text: string) => ({ fields: [{ name: 'answer', label: text }] })
  for (const slug of ['quote', 'visit'])
    for (const version of [1, 2]) await storeForm(db, slug, label(`${slug} ${version}`))
  const quote = await storeForm(db, 'quote', label('quote 3'))
  const visit = await storeForm(db, 'visit', label('visit 3'))
  const find = createAskedForms(db, {
    now: () => new Date(START),
    findOldestRelease: async () => undefined,
  })
  const labels = async () => {
    const asked = []
    for (const form of [quote, visit])
      for (const version of [1, 2]) asked.push((await find(form, version, {})).fields[0]?.label)
    return asked
  }
  const expected = ['quote 1', 'quote 2', 'visit 1', 'visit 2']
  assert.deepEqual(await labels(), expected)
  for (const version of [undefined, 3, 4]) assert.equal(await find(quote, version, {}), quote)
  // Versions never change, so they are read once.
  await db.updateTable('form_versions').set({ fields_json: '[]' }).execute()
  assert.deepEqual(await labels(), expected)
})

test('the desk tells a form and its earlier versions', async (t) => {
  const db = await openTestDatabase(t)
  for (const label of ['First', 'Second'])
    await storeForm(db, 'quote', { fields: [{ name: 'answer', label }] })
  const desk = aDesk(db)
  const form = await desk.findForm('quote')
  assert.ok(form)
  const labelOf = async (version?: number) => (await desk.findAskedForm(form, version)).fields[0]?.label
  assert.deepEqual([await labelOf(1), await labelOf(2), await labelOf()], ['First', 'Second', 'Second'])
  assert.equal(await desk.findForm('other'), undefined)
})
