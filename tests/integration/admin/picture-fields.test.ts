import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findEntry } from '#src/entries/entry-store.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import type { SchemaField } from '#src/entries/types/schema-field.ts'
import { savePicture } from '#src/pictures/picture-store.ts'
import type { EntryView } from '#src/site/pages/entry-page.ts'
import { listPages } from '#src/site/pages/list-pages.ts'
import type { Page } from '#src/site/pages/page.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { aPicture } from '../../support/pictures.ts'
import { addProjects } from '../../support/small-site.ts'

const FIELDS: SchemaField[] = [
  { key: 'cover', label: 'Cover', type: 'picture', required: true },
  { key: 'photos', label: 'Photos', type: 'pictures' },
  {
    key: 'rooms',
    label: 'Rooms',
    type: 'list',
    fields: [
      { key: 'name', label: 'Name', type: 'text' },
      { key: 'photo', label: 'Photo', type: 'picture' },
    ],
  },
]
const PROJECT = { title: 'Loft', slug: '2026/loft', status: 'published' }

async function aSiteWithProjects(t: Parameters<typeof startAdmin>[0]): Promise<AdminSite> {
  const site = await startAdmin(t)
  await addProjects(site.app.db, ...FIELDS)
  for (const name of ['loft.jpg', 'café.jpg', 'stairs.jpg'])
    await savePicture(site.app.db, aPicture({ name, alt: name }), { now: '2026-11-20T10:00:00.000Z' })
  return site
}

async function findLoft({ app: { db } }: AdminSite) {
  const type = await findContentType(db, 'projects')
  return findEntry(db, type?.id ?? 0, PROJECT.slug)
}

test('an entry stores the pictures of its fields in order and once each', async (t) => {
  const site = await aSiteWithProjects(t)
  const answer = await site.post('/admin/entries/projects/new', {
    ...PROJECT,
    cover: 'cafe\u0301.jpg',
    photos: 'stairs.jpg\nloft.jpg',
    'photos.more': ['stairs.jpg', 'café.jpg'],
    'rooms.0.name': 'Hall',
    'rooms.0.photo': 'stairs.jpg',
  })
  assert.equal(answer.status, 303)
  assert.deepEqual((await findLoft(site))?.data, {
    cover: 'café.jpg',
    photos: ['stairs.jpg', 'loft.jpg', 'café.jpg'],
    rooms: [{ name: 'Hall', photo: 'stairs.jpg' }],
  })
})

test('an entry with an unknown picture is refused with the picture’s name', async (t) => {
  const site = await aSiteWithProjects(t)
  const answer = await site.post('/admin/entries/projects/new', {
    ...PROJECT,
    cover: 'gone.jpg',
    photos: 'loft.jpg\nlost.jpg',
    'rooms.0.photo': 'away.jpg',
  })
  assert.equal(answer.status, 422)
  const html = await answer.text()
  for (const name of ['gone.jpg', 'lost.jpg', 'away.jpg'])
    assert.match(html, new RegExp(`The picture “${name}” doesn’t exist`), name)
  assert.equal(await findLoft(site), undefined)
})

test('an entry without a required picture is refused', async (t) => {
  const site = await aSiteWithProjects(t)
  const answer = await site.post('/admin/entries/projects/new', PROJECT)
  assert.equal(answer.status, 422)
  assert.match(await answer.text(), /Cover is missing\. Choose a picture\./)
})

test('an entry’s page shows the pictures of its fields', async (t) => {
  const site = await aSiteWithProjects(t)
  const fields = { cover: 'loft.jpg', photos: 'stairs.jpg\ncafé.jpg', 'rooms.0.photo': 'stairs.jpg' }
  await site.post('/admin/entries/projects/new', { ...PROJECT, ...fields })
  for await (const page of listPages(site.app.db, { siteUrl: 'https://example.com' })) {
    if (page.path !== '/projects/2026/loft') continue
    const shown = (page as Page<EntryView>).view.detail.fields.map(({ value }) => value)
    const [cover, photos, rooms] = shown as [{ alt: string }, { alt: string }[], { photo: { alt: string } }[]]
    assert.equal(cover.alt, 'loft.jpg')
    assert.deepEqual(
      photos.map(({ alt }) => alt),
      ['stairs.jpg', 'café.jpg'],
    )
    assert.equal(rooms[0]?.photo.alt, 'stairs.jpg')
    return
  }
  assert.fail('the project has no page')
})

test('the pictures of a service say where they appear', async (t) => {
  const site = await startAdmin(t)
  const text = (await site.open('/admin/entries/services/1')).element.textContent ?? ''
  for (const hint of [
    'A large picture below the heading.',
    'Shown smaller than the hero picture.',
    'What the picture above the text shows.',
  ])
    assert.ok(text.includes(hint), hint)
})
