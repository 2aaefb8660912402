import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PictureDocument } from '#src/content-files/document.ts'
import { documentsFromDatabase } from '#src/content-files/documents-from-database.ts'
import { writeEntries } from '#src/content-files/syncing/apply-entries.ts'
import { savePicture } from '#src/pictures/picture-store.ts'
import { findTaxonomy, insertTaxonomy, insertTerms } from '#src/taxonomies/taxonomy-store.ts'
import { anEntry } from '../../support/content-plans.ts'
import { openTestDatabase } from '../../support/database.ts'
import { addPlaces } from '../../support/small-site.ts'

const NOW = '2026-11-20T10:00:00.000Z'

test('entries written from documents are read back as the same documents', async (t) => {
  const db = await openTestDatabase(t)
  await addPlaces(db, 'texas/austin')
  const locations = await findTaxonomy(db, 'locations')
  assert.ok(locations)
  const { id: _, slug: __, isBuiltin: ___, ...values } = locations
  const moods = await insertTaxonomy(db, 'moods', { ...values, name: 'Moods', isHierarchical: false })
  const term = { description: null, parentId: null, position: 0 }
  await insertTerms(db, moods, [
    { slug: 'calm', name: 'Calm', ...term },
    // The same slug in two taxonomies.
    { slug: 'austin', name: 'Austin', ...term },
  ])
  const written = [
    anEntry('pages/about.md', {
      title: 'About',
      terms: { locations: ['austin', 'texas'], moods: ['austin'] },
      fields: { summary: 'Short' },
      body: 'Text',
    }),
    anEntry('pages/team.md', {
      status: 'draft',
      publish_at: '2026-12-01T08:00:00.000Z',
      unpublish_at: '2026-12-02T08:00:00.000Z',
      redirect_from: ['/people'],
      terms: { moods: ['calm'] },
    }),
    anEntry('pages/plain.md'),
  ]
  const readBack = async () => {
    const rows = await documentsFromDatabase(db)
    return written.map(({ slug }) => rows.get(`pages/${slug}.md`)?.document)
  }
  await writeEntries(db, 'pages', written, { now: NOW })
  assert.deepEqual(await readBack(), written)
  const [about] = written
  assert.ok(about)
  const changed = { ...about, title: 'Us', terms: { moods: ['calm'] }, fields: {}, body: '' }
  await writeEntries(db, 'pages', [changed], { now: NOW })
  assert.deepEqual(await readBack(), [changed, ...written.slice(1)])
})

test('pictures are documents without the defaults of their details', async (t) => {
  const db = await openTestDatabase(t)
  const bytes = { sha256: 'a'.repeat(64), width: 40, height: 30, size: 900 }
  const crop = { x: 0.1, y: 0.2, width: 0.5, height: 0.6 }
  const saving = { now: NOW, by: { source: 'file' as const } }
  await savePicture(db, { name: 'plain.jpg', ...bytes }, saving)
  const details = { alt: '', focalPoint: [0.25, 0.5] as [number, number], crop, tags: ['Team'] }
  await savePicture(db, { name: 'van.jpg', ...bytes, ...details }, saving)
  const rows = await documentsFromDatabase(db)
  const plain: PictureDocument = { kind: 'picture', name: 'plain.jpg', bytes, alt: null }
  assert.deepEqual(rows.get('pictures/plain.jpg')?.document, plain)
  const van = { ...plain, name: 'van.jpg', alt: '', focal_point: [0.25, 0.5], crop, tags: ['Team'] }
  assert.deepEqual(rows.get('pictures/van.jpg')?.document, van)
})
