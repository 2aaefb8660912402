import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { exportResponse } from '#src/admin/inbox/export-response.ts'
import { findFilterOfPage } from '#src/admin/inbox/filters/filter-form.ts'
import { inboxAddress, readInboxQuery } from '#src/admin/inbox/inbox-query.ts'
import { recordReading } from '#src/admin/inbox/record-reading.ts'
import { loadPlaceServices } from '#src/admin/taxonomies/place-services.ts'
import { insertAdministrator } from '#src/auth/administrator-store.ts'
import type { Role } from '#src/auth/roles/role.ts'
import { loadTaxonomy } from '#src/entries/terms/change-terms.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'
import { exportJson } from '#src/submissions/inbox/export-submissions.ts'
import type { InboxFilter } from '#src/submissions/inbox/inbox-filter.ts'
import { insertSavedFilter } from '#src/submissions/inbox/saved-filter-store.ts'
import { anAdminPage, answerOf } from '../../../support/admin-page.ts'
import { addEntry, addPlaces, offer } from '../../../support/small-site.ts'
import { submit } from '../../webhooks/webhook-world.ts'

/** A lead, and exports of lists of the inbox. */
async function theInbox(t: TestContext, timeZone = 'UTC') {
  const filters: InboxFilter[] = []
  let caughtUp = 0
  const page = await anAdminPage(t, {
    app: {
      searchIndex: { catchUp: async () => caughtUp++ },
      siteLocale: { current: () => ({ timeZone }), stages: () => [{ slug: 'won', name: 'Won' }] },
    },
  })
  const lead = await submit(page.db)
  const download = async (query = '') =>
    exportResponse(page.open(`/admin/inbox/export.json${query}`), {
      ...{ extension: 'json', type: 'application/json' },
      write(db, filter) {
        filters.push(filter)
        return exportJson(db, filter)
      },
    })
  return { ...page, lead, download, filters, caughtUp: () => caughtUp }
}

test('the leads of a list are exported as a file, and that is recorded', async (t) => {
  const { lead, download, filters, activity, caughtUp } = await theInbox(t)
  const response = await download()
  assert.equal(response.headers.get('content-type'), 'application/json')
  const disposition = response.headers.get('content-disposition') ?? ''
  assert.match(disposition, /^attachment; filename="submissions-\d{4}-\d\d-\d\d\.json"$/)
  assert.ok(response.body)
  const rows = JSON.parse((await Array.fromAsync(response.body as AsyncIterable<unknown>)).join(''))
  assert.deepEqual(
    [rows].flat().map(({ id }: { id: number }) => id),
    [lead],
  )
  const [entry] = await activity()
  assert.deepEqual([entry?.action, entry?.subjectId], ['submission.exported', undefined])
  assert.match(entry?.summary ?? '', /JSON/)
  await download('?status=spam&stage=won&form=waitlist')
  assert.deepEqual([filters[1]?.statuses, filters[1]?.stages, filters[1]?.formId], [['spam'], ['won'], 1])
  assert.equal(caughtUp(), 0)
})

test('a file is named by the day in the site’s time zone', async (t) => {
  const now = Temporal.Now.zonedDateTimeISO('Pacific/Kiritimati')
  const { download } = await theInbox(t, 'Pacific/Kiritimati')
  const name = (await download()).headers.get('content-disposition') ?? ''
  // The day may change in between.
  const days = [now, now.add({ days: 1 })].map((one) => one.toPlainDate().toString())
  assert.ok(
    days.some((day) => name.includes(day)),
    name,
  )
})

test('an export of a search includes leads that came in a moment ago', async (t) => {
  const { download, caughtUp, filters } = await theInbox(t)
  await download('?location=austin')
  await download('?q=leak')
  assert.deepEqual([caughtUp(), filters.map(({ search }) => search)], [2, ['', 'leak']])
})

test('a search that can’t be read any more exports nothing', async (t) => {
  const { open, app, download, message, activity, filters } = await theInbox(t)
  const scope = open('/').locals.leads
  const lists = { forms: [], stages: [], scope, timeZone: 'UTC' }
  const search = (secretBox: typeof app.secretBox) => {
    const query = readInboxQuery(new URLSearchParams({ q: 'leak', status: 'new' }), { ...lists, secretBox })
    return inboxAddress('', query)
  }
  await download(search(app.secretBox))
  assert.equal(filters[0]?.search, 'leak')
  const lost = await download(search(createSecretBox(new Uint8Array(32).fill(8))))
  assert.match(answerOf(lost), /^303 \/admin\/inbox\?status=new/)
  assert.equal(message()?.kind, 'error')
  assert.deepEqual([filters.length, (await activity()).length], [1, 1])
})

test('a reader of a lead is recorded', async (t) => {
  const { open, activity } = await theInbox(t)
  await recordReading(open('/admin/inbox/7'), 7)
  const [entry] = await activity()
  assert.deepEqual([entry?.action, entry?.subjectId], ['submission.opened', '7'])
  assert.match(entry?.summary ?? '', /\b7\b/)
})

test('users change their own filters, and managers those of the team', async (t) => {
  for (const [role, isTeam] of [
    ['manager', true],
    ['office', false],
  ] as [Role, boolean][]) {
    const { db, open, userId } = await anAdminPage(t, { role })
    const ben = { email: 'ben@example.com', name: null, passwordHash: 'x', now: new Date() }
    const other = (await insertAdministrator(db, ben)) ?? 0
    const add = (user: number, isShared: boolean) =>
      insertSavedFilter(db, user, { name: `${user} ${isShared}`, isShared, parameters: { status: 'new' } })
    const own = await add(userId, false)
    const [shared, hidden] = [await add(other, true), await add(other, false)]
    const find = async (id: number | string) =>
      (await findFilterOfPage(open('/admin/x', { params: { id: String(id) } })))?.id
    const found = await Promise.all([own, shared, hidden, 9_999, 'x'].map(find))
    const gone = [undefined, undefined, undefined]
    assert.deepEqual(found, [own, isTeam ? shared : undefined, ...gone], role)
  }
})

test('a place lists the services, those offered in it, and their local pages', async (t) => {
  const { db } = await anAdminPage(t)
  const ids = await addPlaces(db, 'texas/austin')
  const place = { slug: 'austin', id: ids.get('austin') ?? 0 }
  const service = async (
    slug: string,
    offered_in: string[],
    status: 'published' | 'draft' = 'published',
  ) => ({
    slug,
    id: await addEntry(db, 'services', { slug, title: slug, status, data: { offered_in } }),
  })
  const offered = await service('ac-repair', ['austin'])
  await service('heating', [])
  await service('plumbing', ['austin'], 'draft')
  const page = await offer(db, offered, place, { status: 'draft' })
  const load = async () => {
    const node = (await loadTaxonomy(db, 'locations'))?.tree.byId.get(place.id)
    assert.ok(node)
    return loadPlaceServices(db, node)
  }
  const { services, version } = await load()
  assert.deepEqual(services.map(({ title, isDraft, isOffered }) => [title, isDraft, isOffered]).sort(), [
    ['ac-repair', false, true],
    ['heating', false, false],
    ['plumbing', true, true],
  ])
  const pages = services.map((one) => one.page)
  assert.deepEqual(pages.filter(Boolean).length, 1)
  assert.partialDeepStrictEqual(services.find(({ id }) => id === offered.id)?.page, {
    ...{ id: page, status: 'draft' },
  })
  await service('roofing', ['austin'])
  assert.notEqual((await load()).version, version)
})
