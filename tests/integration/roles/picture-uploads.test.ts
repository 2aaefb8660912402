import assert from 'node:assert/strict'
import { type FSWatcher, mkdirSync, watch } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { updateTwoStepRequired } from '#src/auth/two-factor-settings-store.ts'
import { temporaryUploads } from '#src/submissions/uploads/upload-folder.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { aPhoto } from '../../support/photos.ts'

const MIB = 1024 * 1024

function post(person: Person, path: string, bytes: Buffer): Promise<Response> {
  const body = new FormData()
  body.append(path.endsWith('new') ? 'files' : 'file', new Blob([new Uint8Array(bytes)]), 'van.jpg')
  return person.fetch(path, { method: 'POST', body })
}

// Every folder that an upload makes on disk, however briefly.
function watchUploads({ app }: AdminSite): { made: string[]; watcher: FSWatcher } {
  const folder = temporaryUploads(app.files)
  mkdirSync(folder, { recursive: true })
  const made: string[] = []
  return { made, watcher: watch(folder, (_, name) => made.push(String(name))) }
}

test('picture uploads without permission are refused before a byte is on disk', async (t) => {
  const site = await startAdmin(t)
  const { made, watcher } = watchUploads(site)
  t.after(() => watcher.close())
  const people = [
    await addPerson(site, 'office'),
    await addPerson(site, 'viewer'),
    await addPerson(site, 'editor', { places: [1] }),
  ]
  for (const person of people)
    for (const path of ['/admin/pictures/new', '/admin/pictures/1/replacement']) {
      const answer = await post(person, path, Buffer.alloc(2 * MIB, 1))
      assert.equal(answer.status, 403, `${person.email} posts to ${path}`)
      assert.match(await answer.text(), /You don’t have access/)
    }
  await wait(200)
  assert.deepEqual(made, [])
  const taken = await post(await addPerson(site, 'editor'), '/admin/pictures/new', await aPhoto())
  assert.equal(taken.status, 303)
  await wait(200)
  assert.notDeepEqual(made, [], 'an upload that is taken shows on disk')
})

test('picture uploads before the required two-step setup are refused unread', async (t) => {
  const site = await startAdmin(t)
  const editor = await addPerson(site, 'editor')
  await updateTwoStepRequired(site.app.db, true)
  const { made, watcher } = watchUploads(site)
  t.after(() => watcher.close())
  const answer = await post(editor, '/admin/pictures/new', Buffer.alloc(2 * MIB, 1))
  assert.equal(answer.headers.get('location'), '/admin/account/two-factors')
  await wait(200)
  assert.deepEqual(made, [])
})
