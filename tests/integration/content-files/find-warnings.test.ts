import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reference } from '#src/content-files/parsing/reference.ts'
import { findWarnings } from '#src/content-files/syncing/find-warnings.ts'
import { insertContentType } from '#src/entries/types/content-type-store.ts'
import { findForm, saveForm } from '#src/forms/form-store.ts'
import { savePicture } from '#src/pictures/picture-store.ts'
import { findTaxonomy, insertTaxonomy } from '#src/taxonomies/taxonomy-store.ts'
import { documentOf } from '../../support/content-plans.ts'
import { openTestDatabase } from '../../support/database.ts'
import { addEntry } from '../../support/small-site.ts'

const NOW = '2026-11-20T10:00:00.000Z'

test('references to what no page shows are warnings', async (t) => {
  const db = await openTestDatabase(t)
  await addEntry(db, 'pages', { slug: 'about' })
  await addEntry(db, 'pages', { slug: 'draft', status: 'draft' })
  await addEntry(db, 'services', { slug: 'repair' })
  await addEntry(db, 'testimonials', { slug: 'anna' })
  await insertContentType(db, 'notes', {
    ...{ name: 'Notes', description: null, sortOrder: 50, fields: [], detailPartial: null },
    ...{ isRoutable: false, routePattern: '/notes/{slug}' },
  })
  await addEntry(db, 'notes', { slug: 'first' })
  for (const [slug, status] of [
    ['quote', 'active'],
    ['old', 'archived'],
  ]) {
    const document = documentOf(`forms/${slug}.yaml`, `name: A\nstatus: ${status}\nfields: []\n`)
    assert.ok(document.kind === 'form')
    await saveForm(db, document.slug, document.definition, { now: NOW })
    assert.ok(await findForm(db, document.slug))
  }
  const locations = await findTaxonomy(db, 'locations')
  assert.ok(locations)
  const { id: _, slug: __, isBuiltin: ___, ...values } = locations
  await insertTaxonomy(db, 'moods', { ...values, name: 'Moods', hasArchive: true })
  const bytes = { sha256: 'a'.repeat(64), width: 40, height: 30, size: 900 }
  await savePicture(db, { name: 'van.jpg', ...bytes }, { now: NOW, by: { source: 'file' } })

  const known: Reference[] = [
    ...[
      ...['/', '/services', '/admin', '/about', '/about?from=top', '/about#top', '/services/repair'],
      ...['/forms/quote', '/forms/quote/thanks', '/taxonomy/moods'],
    ].map((path): Reference => ({ to: 'page', path, line: 1 })),
    { to: 'form', slug: 'quote', line: 1 },
    { to: 'shown', key: 'form', name: 'quote', line: 1 },
    { to: 'shown', key: 'picture', name: 'van.jpg', line: 1 },
    { to: 'partial', name: 'location_service_detail', line: 1 },
    { to: 'phone', name: 'phone', number: '512 555 0100', line: 1 },
    { to: 'term', taxonomy: 'moods', slug: 'none', line: 1 },
  ]
  const file = { path: 'site.yaml', document: undefined, mistakes: [] }
  assert.deepEqual(await findWarnings(db, [{ ...file, references: known }]), [])

  const links = [
    ...[
      '/abuot',
      '/draft',
      '/services/draft',
      '/testimonials/anna',
      '/notes/first',
      '/about/',
      '/forms',
      '/forms/gone',
    ],
    ...['/forms/old', '/forms/quote/other', '/taxonomy/locations', '/taxonomy/gone', '/taxonomy'],
  ]
  const missing = [...links.map((path): Reference => ({ to: 'page', path, line: 2 }))]
  const found = await findWarnings(db, [{ ...file, references: missing }])
  assert.deepEqual(
    found,
    links.map((path) => ({ path: 'site.yaml', line: 2, fault: { code: 'page_missing', params: { path } } })),
  )

  const own = { path: 'site.yaml', line: 9, fault: { code: 'not_utf8' as const } }
  const others: Reference[] = [
    { to: 'form', slug: 'gone', line: 1 },
    { to: 'form', slug: 'old', line: 2 },
    { to: 'shown', key: 'form', name: 'gone', line: 3 },
    { to: 'shown', key: 'picture', name: 'gone.jpg', line: 4 },
    { to: 'phone', name: 'phone', number: 'call me', line: 5 },
    { to: 'partial', name: 'Unknown', line: 6 },
  ]
  const warnings = await findWarnings(db, [{ ...file, references: others, warnings: [own] }])
  const partials = warnings.at(-1)?.fault.params as { partials: string[] } | undefined
  assert.ok(partials?.partials.includes('location_service_detail'))
  assert.deepEqual(
    warnings.map(({ line, fault }) => [line, fault]),
    [
      [9, own.fault],
      [1, { code: 'shown_unknown', params: { key: 'form', name: 'gone' } }],
      [2, { code: 'form_inactive', params: { slug: 'old' } }],
      [3, { code: 'shown_unknown', params: { key: 'form', name: 'gone' } }],
      [4, { code: 'shown_unknown', params: { key: 'picture', name: 'gone.jpg' } }],
      [5, { code: 'undialable', params: { name: 'phone', number: 'call me', country: 'US' } }],
      [6, { code: 'partial_unknown', params: { name: 'Unknown', partials: partials?.partials } }],
    ],
  )
})
