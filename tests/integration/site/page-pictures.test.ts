import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SchemaField } from '#src/entries/types/schema-field.ts'
import { savePicture } from '#src/pictures/picture-store.ts'
import type { EntryView } from '#src/site/pages/entry-page.ts'
import type { HomeView } from '#src/site/pages/home-page.ts'
import { listPages } from '#src/site/pages/list-pages.ts'
import type { LocationServiceView } from '#src/site/pages/location-service-page.ts'
import type { Page } from '#src/site/pages/page.ts'
import type { EntryPicture } from '#src/site/pictures/entry-picture.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { startAdmin } from '../../support/admin.ts'
import { openTestDatabase } from '../../support/database.ts'
import { readPage, wordsOf } from '../../support/pages/read-page.ts'
import { aPicture } from '../../support/pictures.ts'
import { addEntry, addPlaces, addProjects, offer } from '../../support/small-site.ts'

const siteUrl = 'https://example.com'
const NOW = '2026-11-20T10:00:00.000Z'
const PICTURES = {
  hero: 'van.jpg',
  gallery: ['roof.jpg', 'team.jpg'],
  before_picture: 'old.jpg',
  after_picture: 'new.jpg',
}

async function addPictures(db: Parameters<typeof addEntry>[0]) {
  for (const name of ['van.jpg', 'roof.jpg', 'team.jpg', 'old.jpg', 'new.jpg', 'austin.jpg'])
    await savePicture(db, aPicture({ name, alt: name, focalPoint: [0.5, 0.3] }), { now: NOW })
}

async function pagesOf(db: Parameters<typeof listPages>[0]) {
  const pages = new Map<string, Page>()
  for await (const page of listPages(db, { siteUrl })) pages.set(page.path, page)
  return pages
}

test('a service shows its pictures, and each place its own or the service’s (§2.9 rule 5)', async (t) => {
  const db = await openTestDatabase(t)
  await addPictures(db)
  const ids = await addPlaces(db, 'texas/austin', 'texas/waco')
  const place = (slug: string) => ({ slug, id: ids.get(slug) ?? 0 })
  const id = await addEntry(db, 'services', { slug: 'repair', title: 'Repair', data: PICTURES })
  await offer(db, { slug: 'repair', id }, place('austin'), {
    data: { hero: 'austin.jpg', gallery: ['austin.jpg'] },
  })
  await offer(db, { slug: 'repair', id }, place('waco'))
  const pages = await pagesOf(db)
  const shownOn = (path: string) => {
    const { head, detail } = pages.get(path)?.view ?? {}
    const { hero, gallery, beforeAfter } = (detail as LocationServiceView).service
    return {
      hero: hero?.alt,
      gallery: gallery.map(({ alt }) => alt),
      before: beforeAfter?.before.alt,
      isPhoto: head?.photo === hero?.src,
      isPreloaded: head?.preload === hero?.avif,
    }
  }
  const whole = { hero: 'van.jpg', gallery: ['roof.jpg', 'team.jpg'], before: 'old.jpg' }
  const head = { isPhoto: true, isPreloaded: true }
  assert.deepEqual(shownOn('/services/repair'), { ...whole, ...head })
  assert.deepEqual(shownOn('/services/repair/waco'), { ...whole, ...head })
  assert.deepEqual(shownOn('/services/repair/austin'), {
    ...whole,
    ...head,
    hero: 'austin.jpg',
    gallery: ['austin.jpg'],
  })
})

test('an entry shows the pictures in its fields and lists, and only filled fields', async (t) => {
  const db = await openTestDatabase(t)
  await addPictures(db)
  const field = (key: string, type: SchemaField['type'], fields?: SchemaField[]) => ({
    ...{ key, label: key.toUpperCase(), type },
    ...(fields && { fields }),
  })
  await addProjects(
    db,
    ...[
      field('summary', 'text'),
      field('cover', 'picture'),
      field('shots', 'pictures'),
      field('empty', 'text'),
    ],
    ...[field('link', 'url'), field('unsafe', 'url'), field('tags', 'list')],
    field('steps', 'list', [field('photo', 'picture'), field('text', 'text')]),
  )
  const steps = [
    { photo: 'old.jpg', text: 'Before', more: 1 },
    { photo: 'gone.jpg', text: 'After' },
    'plain',
    null,
  ]
  const data = {
    ...{ summary: 'A roof', cover: 'roof.jpg', shots: ['team.jpg', 'gone.jpg'], empty: '', tags: ['metal'] },
    ...{ link: 'https://example.com/a', unsafe: 'javascript:1', steps },
  }
  await addEntry(db, 'projects', { slug: '2026/roof', title: 'Roof', data })
  const page = (await pagesOf(db)).get('/projects/2026/roof') as Page<EntryView> | undefined
  const { type, title, summary, fields, form } = page?.view.detail ?? {}
  assert.deepEqual([type, title, summary, form], ['projects', 'Roof', 'A roof', null])
  const altOf = (value: unknown) => (value as EntryPicture | null)?.alt
  const shown = new Map(fields?.map(({ key, value }) => [key, value]))
  assert.deepEqual([...shown.keys()], ['cover', 'shots', 'link', 'tags', 'steps'])
  assert.equal(altOf(shown.get('cover')), 'roof.jpg')
  assert.deepEqual((shown.get('shots') as unknown[]).map(altOf), ['team.jpg'])
  assert.deepEqual([shown.get('link'), shown.get('tags')], ['https://example.com/a', ['metal']])
  const [before, ...others] = shown.get('steps') as { photo: unknown }[]
  assert.deepEqual({ ...before, photo: altOf(before?.photo) }, { photo: 'old.jpg', text: 'Before', more: 1 })
  assert.deepEqual(others, [{ photo: null, text: 'After' }, 'plain', null])
})

test('the home page shows the settings’ pictures, and unknown ones are refused', async (t) => {
  const db = await openTestDatabase(t)
  await addPictures(db)
  const change = (home: object) => changeSiteSettings(db, { changes: { home } }, { now: new Date(NOW) })
  const refused = await change({ gallery: ['roof.jpg', 'gone.jpg'] })
  assert.deepEqual(refused.kind === 'invalid' && refused.problems, [
    { path: ['home', 'gallery', 1], code: 'picture_unknown', params: { name: 'gone.jpg' } },
  ])
  assert.equal((await change(PICTURES)).kind, 'saved')
  const home = (await pagesOf(db)).get('/') as Page<HomeView>
  const { pictures } = home.view.detail
  assert.deepEqual(
    [pictures.hero?.alt, pictures.gallery.length, pictures.beforeAfter?.after.alt],
    ['van.jpg', 2, 'new.jpg'],
  )
})

test('the main picture loads first, others lazily, and none shifts the layout', async (t) => {
  const site = await startAdmin(t)
  await addPictures(site.app.db)
  const answer = await site.post('/admin/entries/services/preview', {
    ...{ title: 'Repair', slug: 'repair', status: 'published', hero: PICTURES.hero },
    ...{ gallery: PICTURES.gallery.join('\n'), before_picture: 'old.jpg', after_picture: 'new.jpg' },
  })
  assert.equal(answer.status, 200)
  const { ownerDocument: document } = readPage(await answer.text()).element
  const preload = document.querySelector('link[rel=preload][as=image]')
  const images = [...document.querySelectorAll('img.sp-picture')]
  const [hero, ...others] = images
  assert.equal(hero?.getAttribute('alt'), 'van.jpg')
  assert.equal(hero?.getAttribute('loading'), null)
  assert.equal(hero?.getAttribute('fetchpriority'), 'high')
  assert.match(hero?.className ?? '', /\bsp-fx5 sp-fy3\b/)
  const source = hero?.parentElement?.querySelector('source')
  assert.equal(preload?.getAttribute('imagesrcset'), source?.getAttribute('srcset'))
  assert.equal(preload?.getAttribute('imagesizes'), source?.getAttribute('sizes'))
  assert.deepEqual(
    others.map((image) => image.getAttribute('alt')),
    ['old.jpg', 'new.jpg', 'roof.jpg', 'team.jpg'],
  )
  assert.ok(others.every((image) => image.getAttribute('loading') === 'lazy'))
  assert.ok(images.every((image) => image.getAttribute('width') && image.getAttribute('height')))
  assert.equal(document.querySelectorAll('[style]').length, 0)
})

test('an entry’s page shows yes or no in words, also in the items of a list', async (t) => {
  const parts: SchemaField[] = [
    { key: 'name', label: 'Name', type: 'text' },
    { key: 'done', label: 'Done', type: 'boolean' },
  ]
  const site = await startAdmin(t, {
    prepare: ({ db }) =>
      addProjects(
        db,
        { key: 'open', label: 'Open', type: 'boolean' },
        { key: 'steps', label: 'Steps', type: 'list', fields: parts },
      ),
  })
  const answer = await site.post('/admin/entries/projects/preview', {
    ...{ title: 'Roof', slug: '2026/roof', status: 'published', open: 'false' },
    ...{
      'steps.0.name': 'Tear off',
      'steps.0.done': 'true',
      'steps.1.name': 'Shingle',
      'steps.1.done': 'false',
    },
  })
  const page = readPage(await answer.text())
  assert.equal(page.fact('Open').words, 'No')
  const items = page.fact('Steps').getAllByRole('listitem').map(wordsOf)
  assert.deepEqual(items, ['Tear off, Done: Yes', 'Shingle, Done: No'])
})
