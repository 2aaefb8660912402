import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathOfDocument } from '#src/content-files/document.ts'
import { documentsFromDatabase } from '#src/content-files/documents-from-database.ts'
import { applyChanges } from '#src/content-files/syncing/apply-changes.ts'
import { findEntry } from '#src/entries/entry-store.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { silentProgress } from '#src/lib/progress.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'
import { anEntry, documentOf } from '../../support/content-plans.ts'
import { openTestDatabase } from '../../support/database.ts'

test('documents of every kind are written in an order that their references allow, and removed', async (t) => {
  const db = await openTestDatabase(t)
  const seeded = await documentsFromDatabase(db)
  const bytes = { sha256: 'a'.repeat(64), width: 40, height: 30, size: 900 }
  const hook = '{ name: Chat, url: https://chat.example/hook }'
  const documents = [
    anEntry('location_services/repair/austin.md', { fields: { intro: 'Here' } }),
    anEntry('services/repair.md', { fields: { form: 'quote' } }),
    anEntry('projects/roof.md', { terms: { moods: ['calm'] }, fields: { year: 2026 } }),
    documentOf('site.yaml', 'name: Ours\ndefault_form: quote\nlogo: van.jpg\n'),
    documentOf('forms/quote.yaml', `name: Quote\nfields: []\nwebhooks: [${hook}]\n`),
    documentOf(
      'taxonomies/moods.yaml',
      'name: Moods\napplies_to: [projects]\nterms: [{ slug: calm, name: Calm }]\n',
    ),
    documentOf(
      'taxonomies/locations.yaml',
      'name: Locations\nis_hierarchical: true\nterms: [{ slug: austin, name: Austin }]\n',
    ),
    documentOf(
      'content_types/projects.yaml',
      'name: Projects\nschema: { fields: [{ key: year, label: Year, type: number }] }\n',
    ),
    { kind: 'picture' as const, name: 'van.jpg', bytes, alt: null, tags: ['Team'] },
  ]
  const steps: number[][] = []
  const apply = (changes: Partial<Parameters<typeof applyChanges>[1]>) =>
    applyChanges(
      db,
      { written: [], removed: [], ...changes },
      {
        environment: {},
        secretBox: createSecretBox(new Uint8Array(32)),
        now: '2026-11-20T10:00:00.000Z',
        progress: { ...silentProgress, update: (done, total) => void steps.push([done, total]) },
      },
    )
  const stored = async () => {
    const rows = await documentsFromDatabase(db)
    return documents.map((document) => rows.get(pathOfDocument(document))?.document)
  }
  await apply({ written: documents })
  assert.deepEqual(await stored(), documents)
  const entryOf = async (typeSlug: string, slug: string) =>
    findEntry(db, (await findContentType(db, typeSlug))?.id ?? 0, slug)
  const place = await entryOf('location_services', 'repair/austin')
  assert.equal(place?.data.service_entry_id, (await entryOf('services', 'repair'))?.id ?? 'its service')
  assert.deepEqual(
    steps,
    Array.from({ length: 9 }, (_, index) => [index + 1, 9]),
  )
  const renamed = documents.map((document) =>
    document.kind === 'content_type' || document.kind === 'taxonomy' || document.kind === 'form'
      ? { ...document, definition: { ...document.definition, name: 'Other' } }
      : document,
  ) as typeof documents
  await apply({ written: renamed })
  assert.deepEqual(await stored(), renamed)
  const builtin = 'taxonomies/locations.yaml'
  await apply({ removed: documents.filter((document) => pathOfDocument(document) !== builtin).reverse() })
  const left = await documentsFromDatabase(db)
  assert.deepEqual([...left.keys()].sort(), [...seeded.keys()].sort())
  // A row may be gone already.
  await apply({ removed: documents.filter(({ kind }) => kind !== 'entry' && kind !== 'picture') })
  assert.equal((await documentsFromDatabase(db)).has('site.yaml'), false)
})
