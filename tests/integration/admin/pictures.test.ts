import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import sharp from 'sharp'
import { emptyEntryInput } from '#src/entries/editing/entry-input.ts'
import { discardDraft, findEntryDraft, saveDraft } from '#src/entries/history/entry-draft.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { findPictureById, listPictures } from '#src/pictures/picture-store.ts'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { temporaryUploads } from '#src/submissions/uploads/upload-folder.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { wordsOf } from '../../support/pages/read-page.ts'
import { aBomb, aPhoto } from '../../support/photos.ts'
import { editEntry } from '../../support/small-edits.ts'
import { addEntry } from '../../support/small-site.ts'

type Files = Record<string, Buffer | string>

function postFiles(site: AdminSite, path: string, files: Files, headers: Record<string, string> = {}) {
  const body = new FormData()
  for (const [name, bytes] of Object.entries(files))
    body.append(path.endsWith('new') ? 'files' : 'file', new Blob([new Uint8Array(Buffer.from(bytes))]), name)
  // A script asks for the description before it sends the picture.
  if (headers.accept === 'application/json') body.append('decorative', 'on')
  return site.fetch(path, { method: 'POST', body, headers })
}

async function upload(site: AdminSite, name: string, bytes: Buffer): Promise<number> {
  const response = await postFiles(
    site,
    '/admin/pictures/new',
    { [name]: bytes },
    { accept: 'application/json' },
  )
  const answer = (await response.json()) as { added?: { id: number }; refused?: string }
  assert.ok(answer.added, String(answer.refused))
  return answer.added.id
}

test('several pictures upload in one post, get unique names, and are described on the next page', async (t) => {
  const site = await startAdmin(t)
  const photo = await aPhoto()
  const answer = await postFiles(site, '/admin/pictures/new', {
    'Our Van!.JPG': photo,
    'our-van.jpg': await aPhoto({ color: '#a52f42' }),
  })
  assert.equal(answer.status, 303)
  const next = answer.headers.get('location') ?? ''
  assert.match(next, /^\/admin\/pictures\/descriptions\?picture=\d+&picture=\d+$/)
  assert.deepEqual([...(await listPictures(site.app.db)).keys()], ['our-van-2.jpg', 'our-van.jpg'])
  const [first, second] = [...next.matchAll(/=(\d+)/g)].map(([, id]) => id)
  const incomplete = await site.post(next, { [`alt.${first}`]: 'Our van' })
  assert.equal(incomplete.status, 422)
  assert.match(await incomplete.text(), /Describe the picture, or mark it as decorative\./)
  const described = await site.post(next, { [`alt.${first}`]: 'Our van', [`decorative.${second}`]: 'on' })
  assert.equal(described.status, 303)
  assert.equal((await findPictureById(site.app.db, Number(first)))?.alt, 'Our van')
  assert.equal((await findPictureById(site.app.db, Number(second)))?.alt, '')
})

test('the same file, sent twice in one post, is described once', async (t) => {
  const site = await startAdmin(t)
  const photo = await aPhoto()
  const answer = await postFiles(site, '/admin/pictures/new', { 'van.jpg': photo, 'our-van.jpg': photo })
  const next = answer.headers.get('location') ?? ''
  assert.match(next, /^\/admin\/pictures\/descriptions\?picture=\d+$/)
  assert.equal((await site.open(next)).getAllByLabelText('Description').length, 1)
})

test('a single upload may include its description, and a described picture keeps its own', async (t) => {
  const site = await startAdmin(t)
  const photo = await aPhoto()
  const post = (values: Record<string, string>, name = 'van.jpg', bytes = photo) => {
    const body = new FormData()
    body.append('files', new Blob([new Uint8Array(bytes)]), name)
    for (const [key, value] of Object.entries(values)) body.append(key, value)
    return site.fetch('/admin/pictures/new', { method: 'POST', body })
  }
  const altOf = async (name: string) => (await listPictures(site.app.db)).get(name)?.alt
  const tooLong = await post({ alt: 'x'.repeat(501) })
  assert.equal(tooLong.status, 422)
  assert.equal((await listPictures(site.app.db)).size, 0)
  assert.match(
    (await post({})).headers.get('location') ?? '',
    /^\/admin\/pictures\/descriptions\?picture=\d+$/,
  )
  assert.equal(await altOf('van.jpg'), null)
  assert.equal((await post({ alt: ' Our van ' })).headers.get('location'), '/admin/pictures')
  assert.equal(await altOf('van.jpg'), 'Our van')
  assert.equal((await post({ alt: 'Another van' })).headers.get('location'), '/admin/pictures')
  assert.equal(await altOf('van.jpg'), 'Our van')
  await post({ decorative: 'on' }, 'line.jpg', await aPhoto({ color: '#a52f42' }))
  assert.equal(await altOf('line.jpg'), '')
})

test('a script’s upload without a description is refused, and messages of several add up', async (t) => {
  const site = await startAdmin(t)
  const cookies = new Map<string, string>()
  const post = async (name: string, color: string, values: Record<string, string>) => {
    const body = new FormData()
    body.append('files', new Blob([new Uint8Array(await aPhoto({ color }))]), name)
    for (const [key, value] of Object.entries(values)) body.append(key, value)
    const cookie = [site.cookie, ...cookies.values()].join('; ')
    const answer = await site.fetch('/admin/pictures/new', {
      ...{ method: 'POST', body },
      headers: { accept: 'application/json', cookie },
    })
    for (const one of answer.headers.getSetCookie()) {
      const [pair = ''] = one.split(';')
      cookies.set(pair.split('=')[0] ?? '', pair)
    }
    return answer
  }
  const refused = await post('van.jpg', '#2f42a5', {})
  assert.equal(refused.status, 422)
  assert.deepEqual(await refused.json(), { refused: 'Describe the picture, or mark it as decorative.' })
  assert.equal((await listPictures(site.app.db)).size, 0)
  assert.equal((await post('van.jpg', '#2f42a5', { alt: 'Our van' })).status, 201)
  assert.equal((await post('line.jpg', '#a52f42', { decorative: 'on' })).status, 201)
  const headers = { cookie: [site.cookie, ...cookies.values()].join('; ') }
  const library = await (await site.fetch('/admin/pictures', { headers })).text()
  assert.match(library, /van\.jpg uploaded\. line\.jpg uploaded\./)
})

test('a post without an upload adds no picture', async (t) => {
  const site = await startAdmin(t)
  for (const type of ['application/json', 'a/b;;;']) {
    const headers = { origin: site.url, 'content-type': type, accept: 'text/html' }
    const answer = await site.fetch('/admin/pictures/new', { method: 'POST', headers, body: '{}' })
    assert.equal(answer.status, 422, type)
  }
})

test('a stored picture is upright and has no location, camera, or comment', async (t) => {
  const site = await startAdmin(t)
  const photo = await aPhoto({ width: 900, height: 600 })
  assert.match(photo.toString('latin1'), /SECRET-COMMENT/)
  const picture = await findPictureById(site.app.db, await upload(site, 'a.jpg', photo))
  assert.deepEqual([picture?.width, picture?.height], [600, 900])
  const stored = await site.app.pictureFiles.read(picture?.sha256 ?? '')
  assert.ok(stored)
  assert.doesNotMatch(stored.toString('latin1'), /SECRET-COMMENT|Canon|Exif/)
})

const SVG = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'

/** Files as attackers, or broken phones, send them: what becomes of each. */
const HOSTILE: [name: string, bytes: () => Promise<Buffer | string> | Buffer | string, reason: RegExp][] = [
  ['drawing.svg', () => SVG, /SVG files can run scripts/],
  ['drawing.jpg', () => `\ufeff  ${SVG}`, /SVG files can run scripts/],
  ['page.jpg', () => '<!doctype html><script>alert(1)</script>', /not a JPEG, PNG, WebP, or AVIF/],
  ['shell.png', () => '<?php system($_GET["c"]);', /not a JPEG, PNG, WebP, or AVIF/],
  ['moving.gif', () => Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkwBADs=', 'base64'), /not a JPEG/],
  [
    'photo.heic',
    () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'),
    /HEIC photos aren’t supported/,
  ],
  ['bomb.png', () => aBomb(40_000, 40_000), /more than 120 megapixels/],
  ['lie.png', () => aBomb(10_000, 10_000), /incomplete or damaged/],
  ['nothing.jpg', () => '', /This file is empty/],
  ['large.jpg', () => Buffer.alloc(26 * 1024 * 1024, 1), /larger than 25 MB/],
  ['cut.jpg', async () => (await noise(1200)).subarray(0, 20_000), /incomplete or damaged/],
  [
    'tall.png',
    () =>
      sharp({ create: { width: 20, height: 400, channels: 3, background: '#123' } })
        .png()
        .toBuffer(),
    /10 times as tall/,
  ],
]

for (const [name, bytes, reason] of HOSTILE) {
  test(`${name} is refused with a reason and not stored`, async (t) => {
    const site = await startAdmin(t)
    const response = await postFiles(site, '/admin/pictures/new', { [name]: await bytes() })
    assert.equal(response.status, 422)
    assert.match(await response.text(), reason)
    assert.equal((await listPictures(site.app.db)).size, 0)
    assert.deepEqual(await site.app.pictureFiles.list(), [])
    const temporary = temporaryUploads(site.app.files)
    assert.deepEqual(existsSync(temporary) ? readdirSync(temporary) : [], [])
  })
}

test('data appended to a picture, such as HTML or a ZIP, is not stored', async (t) => {
  const site = await startAdmin(t)
  const polyglot = Buffer.concat([await noise(300), Buffer.from('<script>alert(1)</script>PK\x03\x04')])
  const picture = await findPictureById(site.app.db, await upload(site, '../../x.php.jpg', polyglot))
  assert.equal(picture?.name, 'x-php.jpg')
  const stored = await site.app.pictureFiles.read(picture?.sha256 ?? '')
  assert.ok(stored)
  assert.doesNotMatch(stored.toString('latin1'), /<script>/)
})

test('only unused pictures can be deleted', async (t) => {
  const site = await startAdmin(t)
  const id = await upload(site, 'van.jpg', await aPhoto())
  await addEntry(site.app.db, 'pages', { slug: 'about', title: 'About', body: '![Van](van.jpg)' })
  const page = await site.open(`/admin/pictures/${id}`)
  assert.ok(page.getByRole('link', { name: 'About' }))
  const refused = await site.post(`/admin/pictures/${id}/removal`)
  assert.equal(refused.headers.get('location'), `/admin/pictures/${id}`)
  assert.ok(await findPictureById(site.app.db, id))
  const other = await upload(site, 'other.jpg', await aPhoto({ color: '#111111' }))
  assert.equal(
    (await site.post(`/admin/pictures/${other}/removal`)).headers.get('location'),
    '/admin/pictures',
  )
  assert.equal(await findPictureById(site.app.db, other), undefined)
})

test('a picture of a service is also used on the local pages that take it from the service', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const id = await upload(site, 'van.jpg', await aPhoto())
  const { id: service } = await db
    .selectFrom('content_entries')
    .select('id')
    .where('slug', '=', 'ac-repair')
    .executeTakeFirstOrThrow()
  await editEntry(db, service, { data: { hero: 'van.jpg' } }, new Date())
  for (const path of [`/admin/pictures/${id}`, `/admin/pictures/${id}/replacement`]) {
    const page = await site.open(path)
    page.getByRole('heading', { name: 'Used on 2 pages' })
    const link = page.getByRole('link', { name: 'AC repair' })
    assert.equal(link.parentElement && wordsOf(link.parentElement), 'AC repair and 1 local page')
  }

  await editEntry(db, service, { data: { hero: undefined }, body: '![Van](van.jpg)' }, new Date())
  const { id: local } = await db
    .selectFrom('content_entries')
    .select('id')
    .where('slug', '=', 'ac-repair/austin')
    .executeTakeFirstOrThrow()
  const usedWhen = async (body: string) => {
    await editEntry(db, local, { body }, new Date())
    const used = (await site.open(`/admin/pictures/${id}`)).getByRole('link', { name: 'AC repair' })
    return used.parentElement && wordsOf(used.parentElement)
  }
  assert.equal(await usedWhen('Austin alone.'), 'AC repair')
  assert.equal(await usedWhen('Austin, too. {{service}}'), 'AC repair and 1 local page')
})

test('a picture of a draft is in use until the draft is discarded', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const picture = await upload(site, 'blue van.jpg', await aPhoto())
  const [name = ''] = (await listPictures(db)).keys()
  const id = await addEntry(db, 'pages', { slug: 'about', title: 'About' })
  const type = await findContentType(db, 'pages')
  assert.ok(type)
  const input = { ...emptyEntryInput({}), slug: 'about', title: 'About', body: `![Van](${name})` }
  const outcome = await saveDraft(db, { type, id, input }, { now: new Date() })
  assert.equal(outcome.kind, 'saved', JSON.stringify(outcome))
  const isListedUnused = async () =>
    (await site.open('/admin/pictures?show=unused')).queryByRole('list', {
      name: 'Pictures, newest first',
    }) !== null

  assert.equal(await isListedUnused(), false)
  const link = (await site.open(`/admin/pictures/${picture}`)).getByRole('link', { name: 'About' })
  assert.equal(link.getAttribute('href'), `/admin/entries/pages/${id}`)
  assert.equal(link.parentElement && wordsOf(link.parentElement), 'About draft')
  await site.post(`/admin/pictures/${picture}/removal`)
  assert.ok(await findPictureById(db, picture))

  const draft = await findEntryDraft(db, id)
  assert.ok(draft)
  await discardDraft(db, { id, versionId: draft.version.id })
  assert.equal(await isListedUnused(), true)
  await site.post(`/admin/pictures/${picture}/removal`)
  assert.equal(await findPictureById(db, picture), undefined)
})

test('the library is searchable by name, description, and tag, and filters unused pictures', async (t) => {
  const site = await startAdmin(t)
  const van = await upload(site, 'van.jpg', await aPhoto())
  await postFiles(site, '/admin/pictures/new', { 'shop.jpg': await aPhoto({ color: '#111111' }) })
  await site.post(`/admin/pictures/${van}`, {
    alt: 'A blue van in Ómagh',
    focus_x: '50',
    focus_y: '30',
    tags: 'Cars, fleet',
  })
  await addEntry(site.app.db, 'pages', { slug: 'about', title: 'About', body: '![Van](van.jpg)' })
  const found = async (query: string) =>
    (await site.open(`/admin/pictures?${query}`))
      .getByRole('list', { name: 'Pictures, newest first' })
      .textContent?.match(/\w+\.jpg/g)
  for (const words of ['BLUE', 'blue Ómagh'])
    assert.deepEqual(await found(`q=${encodeURIComponent(words)}`), ['van.jpg'])
  assert.deepEqual(await found('tag=fleet'), ['van.jpg'])
  assert.deepEqual(await found('show=unused'), ['shop.jpg'])
  assert.deepEqual(await found('show=undescribed'), ['shop.jpg'])
  assert.ok((await site.open('/admin/pictures?q=100%25_')).getByText('No pictures match.'))
  const filters = (await site.open('/admin/pictures')).getByRole('searchbox').closest('form')
  assert.equal(filters?.querySelector('[required]')?.id, 'field-show', 'one filter is enough')
})

test('editors name the pictures that a page shows without a description', async (t) => {
  const site = await startAdmin(t)
  await postFiles(site, '/admin/pictures/new', { 'shop.jpg': await aPhoto({ color: '#111111' }) })
  await upload(site, 'line.jpg', await aPhoto({ color: '#222222' }))
  const noticeFor = async (body: string) => {
    const id = await addEntry(site.app.db, 'pages', { slug: `p${body.length}`, title: 'About', body })
    const page = await site.open(`/admin/entries/pages/${id}`)
    return page.queryAllByText(/has no description/).map(({ textContent }) => textContent?.trim())
  }
  const [said] = await noticeFor('![](shop.jpg) and ![ ](line.jpg)')
  assert.match(said ?? '', /^shop\.jpg has no description, so screen readers skip it\./)
  assert.deepEqual(await noticeFor('![Our shop](shop.jpg)'), [])
  assert.deepEqual(await noticeFor('No picture'), [])
  const settings = async ({ logo, hero }: { logo?: string; hero?: string }) => {
    const stored = await findSiteSettings(site.app.db)
    const home = { ...stored.home, ...(hero && { hero }) }
    await saveSiteSettings(
      site.app.db,
      { ...stored, ...(logo && { logo }), home },
      { now: new Date().toISOString() },
    )
    return (await site.open('/admin/home')).queryAllByText(/shop\.jpg has no description/).length
  }
  assert.equal(await settings({ logo: 'shop.jpg' }), 0)
  assert.equal(await settings({ hero: 'shop.jpg' }), 1)
})

test('replacing a picture of the same shape says that its focal point still applies', async (t) => {
  const site = await startAdmin(t)
  const id = await upload(site, 'van.jpg', await noise(300))
  const replace = async (pixels: number) => {
    const file = { 'b.jpg': await noise(pixels) }
    const answer = await postFiles(site, `/admin/pictures/${id}/replacement`, file)
    const flash = answer.headers.getSetCookie().map((one) => one.split(';')[0])
    const page = await site.fetch(`/admin/pictures/${id}`, {
      headers: { cookie: [site.cookie, ...flash].join('; ') },
    })
    return (await page.text()).includes('focal point of the old picture still apply')
  }
  assert.equal(await replace(400), false)
  const { db } = site.app
  await db.updateTable('library_pictures').set({ focal_json: '[0.2,0.3]' }).where('id', '=', id).execute()
  assert.equal(await replace(500), true)
})

test('every save of a picture is a version with its file, author, and changes, which can be restored', async (t) => {
  const site = await startAdmin(t)
  const id = await upload(site, 'van.jpg', await aPhoto())
  const before = await findPictureById(site.app.db, id)
  const answer = await postFiles(site, `/admin/pictures/${id}/replacement`, { 'b.jpg': await noise(400) })
  assert.equal(answer.headers.get('location'), `/admin/pictures/${id}`)
  await site.post(`/admin/pictures/${id}`, { alt: 'A van', focus_x: '30', focus_y: '60', tags: 'vans, blue' })
  const after = await findPictureById(site.app.db, id)
  assert.equal(after?.name, 'van.jpg')
  assert.notEqual(after?.sha256, before?.sha256)

  const page = await site.open(`/admin/pictures/${id}`)
  const items = page.getAllByRole('img', { name: /^Version from/ }).map((image) => image.closest('li'))
  const texts = items.map((item) => item?.textContent?.replace(/\s+/g, ' ') ?? '')
  assert.equal(texts.length, 3)
  assert.match(texts[0] ?? '', /Description, Focal point, Tagssaved, not published/)
  assert.match(texts[1] ?? '', /File ?Restore/)
  assert.match(texts[2] ?? '', /First version ?Restore/)
  for (const text of texts) assert.match(text, /ann@example\.com/)
  const thumbnail = items[2]?.querySelector('img')
  const shown = await site.fetch(thumbnail?.getAttribute('src') ?? '')
  assert.deepEqual([shown.status, shown.headers.get('content-type')], [200, 'image/webp'])
  assert.equal((await site.fetch(`/admin/pictures/${id + 1}/versions/1/image`)).status, 404)

  const restoring = [...(items[2]?.querySelectorAll('a') ?? [])].find(
    (link) => link.textContent?.trim() === 'Restore',
  )
  const [first = ''] = restoring?.getAttribute('href')?.split('?') ?? []
  const compared = await site.read(`${first}?with=current`)
  assert.match(compared, /30% from left, 60% from top/)
  assert.match(compared, /600 × 900 pixels/)
  assert.equal((await site.post(first)).status, 303)
  const { updatedAt: _, ...restored } = (await findPictureById(site.app.db, id)) ?? {}
  const { updatedAt: __, ...original } = before ?? {}
  assert.deepEqual(restored, original)
  const list = (await site.open(`/admin/pictures/${id}/versions`)).getByRole('table', { name: 'Versions' })
  assert.match(list.textContent ?? '', /\(restored\)/)
})

test('a picture shows the parts that pages show of it, around its focal point', async (t) => {
  const site = await startAdmin(t)
  const photo = await aPhoto({ width: 400, height: 400 })
  const id = await upload(site, 'van.jpg', photo)
  await site.post(`/admin/pictures/${id}`, { alt: 'A van', focus_x: '50', focus_y: '100', tags: '' })
  const page = await site.open(`/admin/pictures/${id}`)
  const partOf = (name: string) => page.getByRole('img', { name }).getAttribute('viewBox')
  assert.equal(partOf('Hero picture'), '0 175 400 225')
  assert.equal(partOf('Gallery and before/after'), '0 100 400 300')
})

test('a page that is a draft is marked where a picture is used', async (t) => {
  const site = await startAdmin(t)
  const id = await upload(site, 'van.jpg', await aPhoto())
  await addEntry(site.app.db, 'pages', {
    ...{ slug: 'about', title: 'About', body: '![Van](van.jpg)', status: 'draft' },
  })
  const page = await site.open(`/admin/pictures/${id}`)
  page.getByRole('heading', { name: 'Used on' })
  const link = page.getByRole('link', { name: 'About' })
  assert.equal(link.parentElement && wordsOf(link.parentElement), 'About draft')
})

test('invalid focal points and crops are refused', async (t) => {
  const site = await startAdmin(t)
  const id = await upload(site, 'van.jpg', await aPhoto())
  const save = (fields: Record<string, string>) =>
    site.post(`/admin/pictures/${id}`, { alt: 'A van', focus_x: '50', focus_y: '50', tags: '', ...fields })
  assert.equal((await save({ focus_x: '101' })).status, 422)
  assert.equal((await save({ left: '10' })).status, 422)
  assert.equal((await save({ left: '60', top: '0', width: '50', height: '50' })).status, 422)
  assert.equal((await save({ focus_y: '30', left: '10', top: '0', width: '50', height: '80' })).status, 303)
  const picture = await findPictureById(site.app.db, id)
  assert.deepEqual(picture?.focalPoint, [0.5, 0.3])
  assert.deepEqual(picture?.crop, { x: 0.1, y: 0, width: 0.5, height: 0.8 })
  assert.equal((await save({ focus_y: '30' })).status, 303)
  assert.equal((await findPictureById(site.app.db, id))?.crop, null)
})

test('a description over the limit of content files is refused', async (t) => {
  const site = await startAdmin(t)
  const id = await upload(site, 'van.jpg', await aPhoto())
  const save = (alt: string) =>
    site.post(`/admin/pictures/${id}`, { alt, focus_x: '50', focus_y: '50', tags: '' })
  const describe = (alt: string) =>
    site.post(`/admin/pictures/descriptions?picture=${id}`, { [`alt.${id}`]: alt })
  for (const post of [save, describe]) {
    const refused = await post('x'.repeat(501))
    assert.equal(refused.status, 422)
    assert.match(await refused.text(), /Use at most 500 characters\./)
    assert.equal((await post('x'.repeat(500))).status, 303)
  }
})

test('uploading the same picture twice stores it once', async (t) => {
  const site = await startAdmin(t)
  const [first, second] = [
    await upload(site, 'a.jpg', await aPhoto()),
    await upload(site, 'b.jpg', await aPhoto()),
  ]
  assert.equal(first, second)
})

function noise(size: number): Promise<Buffer> {
  const create = { width: size, height: size, channels: 3, background: '#2f42a5' } as const
  const shaded = { ...create, noise: { type: 'gaussian', mean: 128, sigma: 60 } } as const
  return sharp({ create: shaded }).jpeg().toBuffer()
}
