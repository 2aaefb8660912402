import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import type { TestEngine } from '../../support/database.ts'
import {
  aDelivery,
  aField,
  aForm,
  anAdmin,
  anEntry,
  aRow,
  aSubmission,
  aTaxonomy,
  aTerm,
  aWebhook,
  CHECKS,
  type ColumnRule,
  DOCUMENT_TABLES,
  INDEXES,
  REFERENCES,
  TABLES_WITH_IDS,
  UNIQUE,
} from './document.ts'
import { columnTypes, deleteRows, indexesOf, insertRow, type Row, rowsOf } from './rows.ts'

const NOT_NULL = /not null|not-null|null value/i
const UNIQUE_VIOLATION = /unique/i
const CHECK_VIOLATION = /check/i
const NO_SUCH_ROW = 999_999_999
const UTC_TEXT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Every rule of spec.md §2, on one engine. */
export function testDocumentRules(engine: TestEngine) {
  describe(`the document's rules on ${engine.name}`, () => {
    let db: Kysely<Schema>
    before(async () => {
      db = await engine.openMigrated()
    })
    const get = () => db
    // First, while there is nothing else in the tables.
    testSeeds(get)
    testColumns(get)
    testConstraints(get)
    testDeleteRules(get)
    testAssignedIds(get)
    testOwnRules(get)
  })
}

type Get = () => Kysely<Schema>

function testColumns(db: Get) {
  for (const { section, table, columns } of DOCUMENT_TABLES) {
    test(`${section} ${table} has the document's columns with their types`, async () => {
      const types = (await columnTypes(db()))[table] ?? {}
      const found = Object.fromEntries(Object.keys(columns).map((name) => [name, types[name]]))
      assert.deepEqual(
        found,
        Object.fromEntries(Object.entries(columns).map(([name, rule]) => [name, rule.type])),
      )
    })
    for (const [column, rule] of Object.entries(columns)) testColumn(db, section, table, column, rule)
  }
}

function testColumn(db: Get, section: string, table: string, column: string, rule: ColumnRule) {
  if (rule.default === undefined) {
    test(`${section} ${table}.${column} is required`, async () => {
      const { [column]: _, ...rest } = await aRow(db(), table)
      await assert.rejects(insertRow(db(), table, rest), NOT_NULL)
    })
  } else {
    test(`${section} ${table}.${column} defaults to ${rule.default}`, async () => {
      const before = new Date().toISOString()
      const stored = (await insertRow(db(), table, await aRow(db(), table)))[column]
      if (rule.default === 'now') assertMoment(stored, before)
      else assert.equal(stored, rule.default)
    })
  }
  if (rule.nullable) return
  test(`${section} ${table}.${column} is never null`, async () => {
    await assert.rejects(insertRow(db(), table, await aRow(db(), table, { [column]: null })), NOT_NULL)
  })
}

function assertMoment(stored: unknown, before: string) {
  assert.match(String(stored), UTC_TEXT)
  assert.ok(
    before <= String(stored) && String(stored) <= new Date(Date.now() + 1).toISOString(),
    `${stored} is not the moment of insert`,
  )
}

function testConstraints(db: Get) {
  for (const [section, table, column, allowed, refused] of CHECKS) {
    test(`${section} ${table}.${column} is one of ${allowed.join(', ')}`, async () => {
      for (const value of allowed) {
        const row = await insertRow(db(), table, await aRow(db(), table, { [column]: value }))
        assert.equal(row[column], value)
      }
      for (const value of refused) {
        const row = await aRow(db(), table, { [column]: value })
        await assert.rejects(insertRow(db(), table, row), CHECK_VIOLATION, `${value} is accepted`)
      }
    })
  }
  for (const [section, table, columns] of UNIQUE) {
    test(`${section} ${table}: ${columns.join(' and ')} ${columns.length > 1 ? 'are unique together' : 'is unique'}`, async () => {
      const first = await insertRow(db(), table, await aRow(db(), table))
      const same = Object.fromEntries(columns.map((column) => [column, first[column]]))
      await assert.rejects(insertRow(db(), table, await aRow(db(), table, same)), UNIQUE_VIOLATION)
      for (const column of columns.length > 1 ? columns : []) {
        await insertRow(db(), table, await aRow(db(), table, differentIn(column, same)))
      }
    })
  }
  for (const [section, table, columns] of INDEXES) {
    // An index on (a, b) is one on (a) as well.
    test(`${section} ${table} has an index on (${columns})`, async () => {
      const indexes = await indexesOf(db(), table)
      const isOn = (index: string) => `${index},`.startsWith(`${columns},`)
      assert.ok(indexes.some(isOn), `there are only ${indexes.join(' · ')}`)
    })
  }
  for (const [section, table, column] of REFERENCES) {
    test(`${section} ${table}.${column} refers to an existing row`, async () => {
      const row = await aRow(db(), table, { [column]: NO_SUCH_ROW })
      await assert.rejects(insertRow(db(), table, row), /foreign key/i)
    })
  }
}

/** The same values but one, which is left to the factory, or another content type. */
function differentIn(column: string, same: Row): Row {
  const { [column]: _, ...rest } = same
  return column === 'type_id' ? { ...rest, type_id: 2 } : rest
}

function testDeleteRules(db: Get) {
  test('§2.1 forms.updated_by becomes null when the admin user is deleted', async () => {
    const admin = await anAdmin(db())
    const form = await aForm(db(), { updated_by: admin })
    await deleteRows(db(), 'admin_users', { id: admin })
    const [row] = await rowsOf(db(), 'forms', { id: form })
    assert.equal(row?.updated_by, null)
  })

  test('§2.2 fields are deleted with their form, and only those', async () => {
    const form = await aForm(db())
    const own = await aField(db(), { form_id: form })
    const other = await aField(db())
    await deleteRows(db(), 'forms', { id: form })
    assert.deepEqual(await rowsOf(db(), 'form_fields', { id: own }), [])
    assert.equal((await rowsOf(db(), 'form_fields', { id: other })).length, 1)
  })

  test('§2.3 webhooks are deleted with their form, and only those', async () => {
    const form = await aForm(db())
    const own = await aWebhook(db(), { form_id: form })
    const other = await aWebhook(db())
    await deleteRows(db(), 'forms', { id: form })
    assert.deepEqual(await rowsOf(db(), 'form_webhooks', { id: own }), [])
    assert.equal((await rowsOf(db(), 'form_webhooks', { id: other })).length, 1)
  })

  test('§2.4 a submission outlives its form', async () => {
    const form = await aForm(db())
    const submission = await aSubmission(db(), { form_id: form, data_json: '{"a":1}' })
    await deleteRows(db(), 'forms', { id: form })
    const [row] = await rowsOf(db(), 'form_submissions', { id: submission })
    assert.deepEqual([row?.form_id, row?.data_json], [null, '{"a":1}'])
  })

  test('§2.5 a delivery outlives its form and its webhook', async () => {
    const form = await aForm(db())
    const webhook = await aWebhook(db(), { form_id: form })
    const delivery = await aDelivery(db(), { form_id: form, webhook_id: webhook })
    await deleteRows(db(), 'forms', { id: form })
    const [row] = await rowsOf(db(), 'webhook_deliveries', { id: delivery })
    assert.deepEqual([row?.form_id, row?.webhook_id], [null, null])
  })

  test('§2.5 a delivery and its attempts are deleted with their submission', async () => {
    const submission = await aSubmission(db())
    const delivery = await aDelivery(db(), { submission_id: submission })
    await insertRow(db(), 'delivery_attempts', anAttempt(delivery))
    await deleteRows(db(), 'form_submissions', { id: submission })
    assert.deepEqual(await rowsOf(db(), 'webhook_deliveries', { id: delivery }), [])
    assert.deepEqual(await rowsOf(db(), 'delivery_attempts', { delivery_id: delivery }), [])
  })

  test('§2.7 terms are deleted with their taxonomy', async () => {
    const taxonomy = await aTaxonomy(db())
    const term = await aTerm(db(), { taxonomy_id: taxonomy })
    await deleteRows(db(), 'taxonomies', { id: taxonomy })
    assert.deepEqual(await rowsOf(db(), 'taxonomy_terms', { id: term }), [])
  })

  test('§2.7 children at every depth are deleted with their parent, siblings aren’t', async () => {
    const parent = await aTerm(db())
    const child = await aTerm(db(), { parent_id: parent })
    const grandchild = await aTerm(db(), { parent_id: child })
    const sibling = await aTerm(db())
    await deleteRows(db(), 'taxonomy_terms', { id: parent })
    assert.deepEqual(await rowsOf(db(), 'taxonomy_terms', { id: child }), [])
    assert.deepEqual(await rowsOf(db(), 'taxonomy_terms', { id: grandchild }), [])
    assert.equal((await rowsOf(db(), 'taxonomy_terms', { id: sibling })).length, 1)
  })

  for (const [column, table] of [
    ['entry_id', 'content_entries'],
    ['term_id', 'taxonomy_terms'],
  ] as const) {
    test(`§2.8 a link is deleted with its row in ${table}, and other links stay`, async () => {
      const ids = { entry_id: await anEntry(db()), term_id: await aTerm(db()) }
      await insertRow(db(), 'entry_taxonomy_terms', { ...ids, type_id: 1 })
      const other = await insertRow(db(), 'entry_taxonomy_terms', await aRow(db(), 'entry_taxonomy_terms'))
      await deleteRows(db(), table, { id: ids[column] })
      assert.deepEqual(await rowsOf(db(), 'entry_taxonomy_terms', { [column]: ids[column] }), [])
      assert.deepEqual(await rowsOf(db(), 'entry_taxonomy_terms', { entry_id: other.entry_id }), [other])
    })
  }
}

function testAssignedIds(db: Get) {
  for (const { table } of TABLES_WITH_IDS) {
    test(`§2 ids of ${table} are integers that increase and never come back after a delete`, async () => {
      const first = await insertRow(db(), table, await aRow(db(), table))
      const second = await insertRow(db(), table, await aRow(db(), table))
      await deleteRows(db(), table, { id: second.id })
      const third = await insertRow(db(), table, await aRow(db(), table))
      const ids = [first.id, second.id, third.id] as [number, number, number]
      assert.ok(ids.every(Number.isInteger), `${ids} are not integers`)
      assert.ok(ids[0] < ids[1] && ids[1] < ids[2], `${ids} do not increase`)
    })
  }
}

function testSeeds(db: Get) {
  test('§2.1 the waitlist is built in and active, with the six settings of the document', async () => {
    const forms = await rowsOf(db(), 'forms')
    assert.deepEqual(
      forms.map(({ id, slug, status, is_builtin }) => ({ id, slug, status, is_builtin })),
      [{ id: 1, slug: 'waitlist', status: 'active', is_builtin: 1 }],
    )
    const [form] = forms
    const { success_heading, success_body, honeypot, ...rest } = JSON.parse(String(form?.settings_json))
    assert.deepEqual(rest, { redirect_url: null, notification_email: null, retention_days: null })
    for (const text of [success_heading, success_body, honeypot]) assert.match(text, /\w+/)
  })

  test('§2.1 the waitlist’s decoy isn’t one of its fields', async () => {
    const [form] = await rowsOf(db(), 'forms', { slug: 'waitlist' })
    const { honeypot } = JSON.parse(String(form?.settings_json))
    assert.deepEqual(await rowsOf(db(), 'form_fields', { form_id: form?.id, name: honeypot }), [])
  })

  test('§2.2 the waitlist has its six fields at positions 0 to 5', async () => {
    const rows = await rowsOf(db(), 'form_fields', { form_id: 1 })
    const fields = inOrderOf('position', rows).map((row) => [
      row.position,
      row.name,
      row.type,
      row.required,
      JSON.parse(String(row.validation_json)),
    ])
    assert.deepEqual(fields, [
      [0, 'full_name', 'text', 1, { max_length: 100 }],
      [1, 'email', 'email', 1, { max_length: 150 }],
      [2, 'phone', 'phone', 1, { max_length: 40 }],
      [3, 'role', 'text', 1, { max_length: 80 }],
      [4, 'clients_managed', 'text', 0, { max_length: 80 }],
      [5, 'bottleneck', 'textarea', 0, { max_length: 1000 }],
    ])
  })

  test('§2.6 both taxonomies are built in and start with no terms', async () => {
    const taxonomies = inOrderOf('sort_order', await rowsOf(db(), 'taxonomies'))
    const columns = [
      'slug',
      'name',
      'is_hierarchical',
      'applies_to_type_ids_json',
      'is_builtin',
      'sort_order',
    ]
    assert.deepEqual(
      taxonomies.map((row) => columns.map((column) => row[column])),
      [
        ['locations', 'Locations', 1, null, 1, 10],
        ['service_categories', 'Service Categories', 1, null, 1, 20],
      ],
    )
    assert.deepEqual(await rowsOf(db(), 'taxonomy_terms'), [])
  })

  test('§2.9 location_services is a built-in routable type at two placeholders', async () => {
    const [row] = await rowsOf(db(), 'content_types', { slug: 'location_services' })
    const { name, is_routable, route_pattern, detail_partial, is_builtin, sort_order } = row ?? {}
    assert.deepEqual(
      { name, is_routable, route_pattern, detail_partial, is_builtin, sort_order },
      {
        name: 'Location Services',
        is_routable: 1,
        route_pattern: '/services/{service_slug}/{location_slug}',
        detail_partial: 'location_service_detail',
        is_builtin: 1,
        sort_order: 40,
      },
    )
  })

  test('§2.9 location_services has its nine schema fields in order, each with a label', async () => {
    const [row] = await rowsOf(db(), 'content_types', { slug: 'location_services' })
    const fields: Row[] = JSON.parse(String(row?.schema_json)).fields
    assert.deepEqual(
      // What the program adds to them comes after.
      fields.slice(0, 9).map((field) => [field.key, field.type, field.required ?? 'no']),
      [
        ['service_entry_id', 'number', true],
        ['location_term_id', 'number', true],
        ['city', 'text', 'no'],
        ['region', 'text', 'no'],
        ['intro', 'textarea', 'no'],
        ['address', 'textarea', 'no'],
        ['phone', 'text', 'no'],
        ['map_embed_url', 'text', 'no'],
        ['local_testimonials', 'text', 'no'],
      ],
    )
    for (const field of fields) assert.match(String(field.label), /\w+/)
  })

  test('contract §3 the built-in content types are in their order with their routes', async () => {
    const types = inOrderOf('sort_order', await rowsOf(db(), 'content_types', { is_builtin: 1 }))
    assert.deepEqual(
      types.map((type) => [type.slug, type.is_routable, type.route_pattern, type.sort_order]),
      [
        ['pages', 1, '/{slug}', 10],
        ['testimonials', 0, null, 20],
        ['services', 1, '/services/{slug}', 30],
        ['location_services', 1, '/services/{service_slug}/{location_slug}', 40],
      ],
    )
  })
}

function inOrderOf(column: string, rows: Row[]) {
  return rows.sort((a, b) => Number(a[column]) - Number(b[column]))
}

function testOwnRules(db: Get) {
  test('contract §5 the same _id is stored once for a form, and any number of submissions without one', async () => {
    const form = await aForm(db())
    await aSubmission(db(), { form_id: form, client_id: 'c-1' })
    await assert.rejects(aSubmission(db(), { form_id: form, client_id: 'c-1' }), UNIQUE_VIOLATION)
    await aSubmission(db(), { form_id: await aForm(db()), client_id: 'c-1' })
    await aSubmission(db(), { form_id: form })
    await aSubmission(db(), { form_id: form })
  })

  test('contract §6 attempts are deleted with their delivery', async () => {
    const delivery = await aDelivery(db())
    await insertRow(db(), 'delivery_attempts', anAttempt(delivery))
    await deleteRows(db(), 'webhook_deliveries', { id: delivery })
    assert.deepEqual(await rowsOf(db(), 'delivery_attempts', { delivery_id: delivery }), [])
  })
}

function anAttempt(delivery: number): Row {
  return {
    delivery_id: delivery,
    attempt_number: 1,
    started_at: '2026-11-20T10:00:00.000Z',
    duration_ms: 12,
    request_url: 'https://example.com/hook',
  }
}
