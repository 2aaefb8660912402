import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { answerDraft } from '#src/admin/settings/answer-draft.ts'
import { receiveSettings } from '#src/admin/settings/receive-settings.ts'
import { SETTINGS_SCREEN } from '#src/admin/settings/settings-screen.ts'
import { insertAdministrator } from '#src/auth/administrator-store.ts'
import { listAuditEntries } from '#src/auth/audit/audit-store.ts'
import { NO_LIMITS, type Role } from '#src/auth/roles/role.ts'
import { findEditedSettings, saveSettingsDraft } from '#src/site/settings/settings-draft.ts'
import { findSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { openTestDatabase } from '../../support/database.ts'

const TAGS = { head: '<script src="https://a.example/a.js"></script>' }

/** The settings as a page of the admin gets them from a user with this role. */
async function theSettings(t: TestContext) {
  const db = await openTestDatabase(t)
  const account = { email: 'ann@example.com', name: null, passwordHash: 'x', now: new Date() }
  const id = await insertAdministrator(db, account)
  const flashes: { kind: string; text: string }[] = []
  const app = {
    ...{ db, config: { adminUrl: 'http://localhost' }, log: { info() {} } },
    publishing: { planner: { noteChange() {} } },
    siteLocale: { refresh: async () => {} },
  }
  const context = (body: Record<string, string>, role: Role) => {
    const url = new URL('http://localhost/admin/settings')
    return {
      ...{ url, request: new Request(url, { method: 'POST', body: new URLSearchParams(body) }), params: {} },
      response: { status: 200, headers: new Headers() },
      locals: {
        administrator: { id, email: account.email, role, limits: NO_LIMITS },
        ...{ app, clientAddress: '192.0.2.9' },
      },
      cookies: { set: (_: string, value: string) => flashes.push(JSON.parse(value)) },
      rewrite: async () => new Response(null, { status: 404 }),
    } as never
  }
  const draft = async (changes: object) => {
    const { stamp } = await findEditedSettings(db)
    const by = { source: 'admin', email: account.email } as const
    const saved = await saveSettingsDraft(db, { changes, basedOn: stamp }, { now: new Date(), by })
    assert.equal(saved.kind, 'saved', JSON.stringify(saved))
    return String((await findEditedSettings(db)).draft?.version.id)
  }
  const answer = async (body: Record<string, string>, role: Role = 'owner') =>
    (await answerDraft(context(body, role), SETTINGS_SCREEN)).status
  const post = (body: Record<string, string>, role: Role) =>
    receiveSettings(context(body, role), SETTINGS_SCREEN)
  const actions = async () => (await listAuditEntries(db, { limit: 9 })).map(({ action }) => action)
  return { db, flashes, draft, answer, post, actions }
}

test('a draft of the settings is used once, and the activity says so', async (t) => {
  const { db, flashes, draft, answer, actions } = await theSettings(t)
  const version = await draft({ tagline: 'New' })
  assert.equal(await answer({ act: 'use', version }), 303)
  assert.equal((await findSiteSettings(db)).tagline, 'New')
  assert.equal(flashes.pop()?.kind, 'success')
  assert.equal(await answer({ act: 'use', version }), 303)
  assert.equal(flashes.pop()?.kind, 'error', 'it is gone')
  assert.deepEqual(await actions(), ['settings.draft_used'])
})

test('a discarded draft is gone, and what is saved stays', async (t) => {
  const { db, flashes, draft, answer, actions } = await theSettings(t)
  const { tagline } = await findSiteSettings(db)
  const former = await draft({ tagline: 'Newer' })
  const version = await draft({ tagline: 'New' })
  assert.equal(await answer({ act: 'discard', version: former }), 303)
  assert.equal(flashes.pop()?.kind, 'error', 'another user saved it again')
  assert.equal(await answer({ act: 'discard', version }), 303)
  assert.equal(flashes.pop()?.kind, 'success')
  const { draft: left } = await findEditedSettings(db)
  assert.deepEqual([left, (await findSiteSettings(db)).tagline], [undefined, tagline])
  assert.deepEqual(await actions(), ['settings.draft_discarded'])
})

test('wrong input is answered with 404 and changes nothing', async (t) => {
  const { db, draft, answer, actions } = await theSettings(t)
  const version = await draft({ tagline: 'New' })
  for (const body of [{}, { act: 'use' }, { act: 'publish', version }, { act: 'use', version: '1.5' }])
    assert.equal(await answer(body), 404, JSON.stringify(body))
  assert.ok((await findEditedSettings(db)).draft)
  assert.deepEqual(await actions(), [])
})

test('only owners put code on every page, also by a draft', async (t) => {
  const { db, flashes, draft, answer, post, actions } = await theSettings(t)
  const version = await draft({ tags: TAGS, tagline: 'New' })
  assert.equal(await answer({ act: 'use', version }, 'manager'), 303)
  const refused = flashes.pop()
  assert.equal(refused?.kind, 'error')
  assert.match(refused?.text ?? '', /Only owners/)
  assert.deepEqual([(await findSiteSettings(db)).tags, await actions()], [undefined, []])
  assert.equal(await answer({ act: 'use', version }), 303)
  assert.deepEqual((await findSiteSettings(db)).tags, TAGS)
  const saved = await post({ tagline: 'By a manager', 'tags.head': '<script></script>' }, 'manager')
  assert.ok(saved instanceof Response)
  const { tagline, tags } = await findSiteSettings(db)
  assert.deepEqual([tagline, tags], ['By a manager', TAGS])
  assert.deepEqual(await actions(), ['settings.changed', 'settings.draft_used'])
})

test('a manager’s save that would use an owner’s code is refused above the form', async (t) => {
  const { db, draft, post, actions } = await theSettings(t)
  await draft({ tags: TAGS })
  const shown = await post({ tagline: 'New' }, 'manager')
  assert.ok(!(shown instanceof Response))
  assert.deepEqual(Object.keys(shown.form.errors), [''])
  assert.match(shown.form.errors['']?.[0] ?? '', /Only owners can change those tags/)
  assert.deepEqual([(await findSiteSettings(db)).tags, await actions()], [undefined, []])
})

test('the activity names what was changed', async (t) => {
  const { db, post, actions } = await theSettings(t)
  await post({ name: 'Acme', tagline: 'We fix it' }, 'manager')
  const shared = await post({ tagline: 'We fix all', act: 'share' }, 'manager')
  assert.ok(shared instanceof Response)
  assert.match(shared.headers.get('location') ?? '', /^\/admin\/publish\/previews\?.*setting.*site/)
  assert.deepEqual(await actions(), ['settings.draft_saved', 'settings.changed'])
  const [, changed] = await listAuditEntries(db, { limit: 2 })
  assert.match(changed?.summary ?? '', /Name, Tagline$/)
  assert.equal((await findSiteSettings(db)).tagline, 'We fix it')
})

test('a save without a change isn’t recorded, and one of an older form is refused', async (t) => {
  const { db, flashes, post, actions } = await theSettings(t)
  const { name } = await findSiteSettings(db)
  assert.ok((await post({ name }, 'owner')) instanceof Response)
  assert.ok((await post({ name, act: 'draft' }, 'owner')) instanceof Response)
  assert.deepEqual([flashes.pop()?.kind, await actions()], ['success', []])
  const shown = await post({ name: 'Acme', based_on: 'older' }, 'owner')
  assert.ok(!(shown instanceof Response))
  assert.match(shown.form.errors['']?.[0] ?? '', /^Someone else saved/)
  assert.equal((await findSiteSettings(db)).name, name)
})
