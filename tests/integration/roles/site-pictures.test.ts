import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPictureById } from '#src/pictures/picture-store.ts'
import { DEFAULT_SITE_SETTINGS } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { startAdmin } from '../../support/admin.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { aPhoto } from '../../support/photos.ts'

function postFile(person: Person, path: string, bytes: Buffer): Promise<Response> {
  const body = new FormData()
  body.append(path.endsWith('new') ? 'files' : 'file', new Blob([new Uint8Array(bytes)]), 'brand.jpg')
  return person.fetch(path, { method: 'POST', body })
}

test('an editor replaces page pictures but not the logo; a manager replaces both', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const [editor, manager] = [await addPerson(site, 'editor'), await addPerson(site, 'manager')]
  const added = await postFile(editor, '/admin/pictures/new', await aPhoto())
  const id = Number(/picture=(\d+)/.exec(added.headers.get('location') ?? '')?.[1])
  const path = `/admin/pictures/${id}`
  const bytesOf = async () => (await findPictureById(db, id))?.sha256
  const replace = async (person: Person, color: string) =>
    postFile(person, `${path}/replacement`, await aPhoto({ color }))

  const first = await bytesOf()
  assert.equal((await replace(editor, '#a52f42')).status, 303)
  const second = await bytesOf()
  assert.notEqual(second, first)

  await saveSiteSettings(db, { ...DEFAULT_SITE_SETTINGS, logo: 'brand.jpg' }, { now: '2026-11-24T00:00:00Z' })
  const refused = await replace(editor, '#42a52f')
  assert.equal(refused.headers.get('location'), path)
  assert.match(decodeURIComponent(refused.headers.get('set-cookie') ?? ''), /only managers and owners/)
  const versions = await db.selectFrom('picture_versions').select('id').execute()
  for (const version of versions)
    assert.equal((await editor.post(`${path}/versions/${version.id}`)).headers.get('location'), path)
  assert.equal((await editor.post(path, { alt: 'Mine', focal_x: '10', focal_y: '10' })).status, 303)
  assert.equal(await bytesOf(), second)
  assert.notEqual((await findPictureById(db, id))?.alt, 'Mine')

  assert.equal((await replace(manager, '#42a52f')).status, 303)
  assert.notEqual(await bytesOf(), second)
})
