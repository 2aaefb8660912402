import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findContentType, updateContentType } from '#src/entries/types/content-type-store.ts'
import { toPosted } from '#src/entries/types/posted-fields.ts'
import {
  fitsTheForm,
  readContentTypeInput,
  toContentTypeInput,
  writeParts,
} from '#src/entries/types/read-content-type.ts'
import {
  type ContentTypeInput,
  contentTypeVersion,
  removeContentType,
  saveContentType,
} from '#src/entries/types/save-content-type.ts'
import { openTestDatabase } from '../../support/database.ts'
import { addEntry } from '../../support/small-site.ts'

const aText = (key: string, label = key) => ({ key, label, type: 'text' })

/** A routable type with one field, unless told otherwise. */
function anInput(input: Partial<ContentTypeInput> = {}): ContentTypeInput {
  return {
    ...{ slug: 'projects', name: 'Projects', description: null, is_routable: true, sort_order: 50 },
    ...{ route_pattern: '/projects/{project}', detail_partial: null, schema: { fields: [aText('client')] } },
    ...input,
  }
}

function post(fields: Record<string, string>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return toPosted(form)
}

async function openWithProjects(t: Parameters<typeof openTestDatabase>[0]) {
  const db = await openTestDatabase(t)
  assert.deepEqual(await saveContentType(db, { input: anInput() }), { kind: 'saved', value: 'projects' })
  const type = async () => {
    const found = await findContentType(db, 'projects')
    assert.ok(found)
    return found
  }
  const change = (input: Partial<ContentTypeInput>, basedOn?: string) =>
    saveContentType(db, { existing: 'projects', input: anInput(input), basedOn })
  return { db, type, change }
}

test('a content type is created once, edited under its slug, and deleted', async (t) => {
  const { db, type, change } = await openWithProjects(t)
  assert.deepEqual(toContentTypeInput(await type()), anInput())
  assert.deepEqual(await saveContentType(db, { input: anInput() }), {
    ...{ kind: 'invalid' },
    problems: [{ path: ['slug'], code: 'slug_taken', params: { slug: 'projects' } }],
  })
  const changed = { name: 'Work', description: 'What we did', schema: { fields: [] }, sort_order: 7 }
  assert.deepEqual(await change({ ...changed, slug: 'other' }), { kind: 'saved', value: 'projects' })
  assert.deepEqual(toContentTypeInput(await type()), anInput(changed))
  const input = anInput()
  assert.deepEqual(await saveContentType(db, { existing: 'gone', input }), { kind: 'not_found' })
  assert.deepEqual(
    [await removeContentType(db, 'projects'), await removeContentType(db, 'projects')],
    [true, false],
  )
})

test('§2.9 a built-in content type can’t be changed', async (t) => {
  const db = await openTestDatabase(t)
  const before = await findContentType(db, 'services')
  const refused = { kind: 'refused', code: 'builtin' }
  assert.deepEqual(await saveContentType(db, { existing: 'services', input: anInput() }), refused)
  assert.equal(await removeContentType(db, 'services'), false)
  assert.deepEqual(await findContentType(db, 'services'), before)
})

test('a concurrent change to a content type isn’t overwritten', async (t) => {
  const { type, change } = await openWithProjects(t)
  const seen = contentTypeVersion(await type())
  assert.equal((await change({ name: 'Work' }, seen)).kind, 'saved')
  const outdated = await change({ name: 'Jobs' }, seen)
  assert.equal(outdated.kind, 'outdated')
  assert.equal((await type()).name, 'Work')
  assert.equal((await change({ name: 'Jobs' }, contentTypeVersion(await type()))).kind, 'saved')
})

for (const [what, input, problems] of [
  ['no name', { name: ' ' }, [['name', 'name_missing']]],
  ['a slug in capitals', { slug: 'Projects' }, [['slug', 'slug_invalid']]],
  ['the slug of a folder', { slug: 'forms' }, [['slug', 'slug_taken']]],
  ['no address', { route_pattern: null }, [['route_pattern', 'route_missing']]],
  [
    'a field without a label',
    { schema: { fields: [aText('client', '')] } },
    [['fields.0.label', 'label_missing']],
  ],
  ['a key that is none', { schema: { fields: [aText('a b', 'A')] } }, [['fields.0.key', 'key_invalid']]],
  ['a reserved key', { schema: { fields: [aText('title')] } }, [['fields.0.key', 'key_taken']]],
  [
    'keys of the editor’s own inputs',
    { schema: { fields: [aText('slug'), aText('time_zone'), aText('based_on')] } },
    [
      ['fields.0.key', 'key_taken'],
      ['fields.2.key', 'key_taken'],
    ],
  ],
  ['a key twice', { schema: { fields: [aText('a'), aText('a')] } }, [['fields.1.key', 'key_taken']]],
  [
    'a part twice',
    { schema: { fields: [{ ...aText('steps'), type: 'list', fields: [aText('a'), aText('a')] }] } },
    [['fields.0.fields.1.key', 'part_key_taken']],
  ],
  [
    'several mistakes',
    { slug: '', name: '', schema: { fields: [aText('', '')] } },
    [
      ['name', 'name_missing'],
      ['fields.0.key', 'key_invalid'],
      ['fields.0.label', 'label_missing'],
      ['slug', 'slug_invalid'],
    ],
  ],
] as const) {
  test(`a content type with ${what} is refused at its input`, async (t) => {
    const db = await openTestDatabase(t)
    const outcome = await saveContentType(db, {
      input: anInput({ slug: 'jobs', ...input } as ContentTypeInput),
    })
    assert.ok(outcome.kind === 'invalid', outcome.kind)
    assert.deepEqual(
      outcome.problems.map(({ path, code }) => [path.join('.'), code]),
      problems,
    )
    assert.equal(await findContentType(db, 'jobs'), undefined)
  })
}

test('a field from a file keeps its key, although the editor has an input of that name', async (t) => {
  const { db, type, change } = await openWithProjects(t)
  const fields = [{ key: 'based_on', label: 'Based on', type: 'text' as const }]
  const { id, ...values } = await type()
  await updateContentType(db, id, { ...values, fields })
  assert.equal((await change({ name: 'Work', schema: { fields } })).kind, 'saved')
})

test('a route pattern keeps its placeholders while it has entries, and can’t take another entry’s address', async (t) => {
  const { db, type, change } = await openWithProjects(t)
  assert.equal((await change({ route_pattern: '/projects/{year}/{project}' })).kind, 'saved')
  assert.equal((await change({ route_pattern: '/projects/{project}' })).kind, 'saved')
  await addEntry(db, 'projects', { slug: 'barn', title: 'Barn', status: 'draft' })
  assert.deepEqual(await change({ route_pattern: '/projects/{year}/{project}' }), {
    kind: 'invalid',
    problems: [
      { path: ['route_pattern'], code: 'parts_changed', params: { entries: 1, before: 1, after: 2 } },
    ],
  })
  assert.equal((await change({ route_pattern: '/jobs/{project}' })).kind, 'saved')
  await addEntry(db, 'projects', { slug: 'heating', title: 'Heating' })
  await addEntry(db, 'services', { slug: 'heating', title: 'Heating' })
  const taken = await change({ route_pattern: '/services/{project}' })
  assert.ok(taken.kind === 'invalid')
  assert.deepEqual(
    taken.problems.map(({ path, code }) => [path.join('.'), code]),
    [['route_pattern', 'address_taken']],
  )
  assert.equal((await type()).routePattern, '/jobs/{project}')
})

test('a content type’s form posts it back unchanged', async (t) => {
  const { type, change } = await openWithProjects(t)
  const part = { ...aText('title', 'Title'), required: true }
  const fields = [
    { ...aText('client', 'Client'), required: true },
    { ...aText('steps'), type: 'list', fields: [part] },
  ]
  await change({ description: 'One\r\ntwo', schema: { fields } })
  const stored = await type()
  assert.equal(fitsTheForm(stored), true)
  assert.equal(writeParts(stored.fields[1]?.fields), 'title | Title | text | required')
  assert.equal(writeParts(undefined), '')
  const posted = post({
    ...{ slug: 'projects', name: ' Projects ', description: 'One\ntwo', is_routable: 'on', sort_order: '50' },
    ...{ route_pattern: '/projects/{project}', detail_partial: '' },
    ...{
      'fields.0.key': 'client',
      'fields.0.label': 'Client',
      'fields.0.type': 'text',
      'fields.0.required': 'on',
    },
    ...{ 'fields.1.key': '', 'fields.1.label': '', 'fields.1.type': 'text' },
    ...{ 'fields.2.key': 'steps', 'fields.2.label': 'steps', 'fields.2.type': 'list' },
    ...{ 'fields.2.parts': '\n title | Title | text | required \n' },
  })
  assert.deepEqual(readContentTypeInput(posted, stored), toContentTypeInput(stored))
  const short = post({ 'fields.0.key': 'a', 'fields.0.type': 'list', 'fields.0.parts': 'b' })
  assert.deepEqual(readContentTypeInput(short), {
    ...{
      slug: '',
      name: '',
      description: null,
      is_routable: false,
      route_pattern: null,
      detail_partial: null,
    },
    schema: { fields: [{ key: 'a', label: '', type: 'list', fields: [aText('b')] }] },
    sort_order: 0,
  })
})
