import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { subjectOf, wakeAfter } from '#src/admin/audit/changes.ts'
import { savingBy } from '#src/admin/audit/saving-by.ts'
import { answerChange } from '#src/admin/kit/answer-change.ts'
import { finish, refuse } from '#src/admin/kit/page-context.ts'
import type { App } from '#src/app.ts'
import { insertAdministrator } from '#src/auth/administrator-store.ts'
import { listAuditEntries } from '#src/auth/audit/audit-store.ts'
import { openTestDatabase } from '../../support/database.ts'

const PROBLEM = { path: ['settings', 'slug'], code: 'percent_invalid' } as const

/** What a page of the admin gets. The program notes which of its workers were woken. */
async function aPage(t: TestContext, { hasMail = true } = {}) {
  const db = await openTestDatabase(t)
  const account = { email: 'ann@example.com', name: null, passwordHash: 'x', now: new Date() }
  const id = await insertAdministrator(db, account)
  const woken: string[] = []
  const logged: object[] = []
  const flashes: object[] = []
  const rewritten: string[] = []
  const wakes = (name: string) => ({ wake: () => woken.push(name) })
  const app = {
    ...{ db, config: { adminUrl: 'https://a.example' } },
    desk: { invalidate: () => woken.push('desk') },
    ...{ dispatcher: wakes('dispatcher'), searchIndex: wakes('search') },
    mailWorker: hasMail ? wakes('mail') : undefined,
    publishing: { planner: { noteChange: () => woken.push('planner') } },
    siteLocale: { refresh: async () => woken.push('locale') },
    log: { info: (details: object) => logged.push(details) },
  } as unknown as App
  const context = {
    locals: { app, administrator: { id, email: account.email }, clientAddress: '192.0.2.9' },
    url: new URL('https://a.example/admin/pages/3'),
    request: new Request('https://a.example/admin/pages/3', { headers: { cookie: 'a=b' } }),
    cookies: { set: (_: string, value: string) => flashes.push(JSON.parse(value)) },
    async rewrite(request: Request) {
      rewritten.push(`${request.method} ${request.url} ${request.headers.get('cookie')}`)
      return new Response(null, { status: 404 })
    },
  } as unknown as Parameters<typeof answerChange>[0]
  const entries = async () =>
    (await listAuditEntries(db, { limit: 10 })).map(({ id: _, happenedAt: __, ...entry }) => entry)
  return { id, app, context, woken, logged, flashes, rewritten, entries }
}

test('a change is recorded with who made it, from where, and to what', async (t) => {
  const { id: userId, context, woken, logged, flashes, entries } = await aPage(t)
  const change = { action: 'entry.changed', id: 3, summary: 'Changed “About”' } as const
  const answer = await finish(context, change, { to: '/admin/entries/pages/3', text: 'Saved.', undo: 5 })
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/admin/entries/pages/3'])
  assert.deepEqual(flashes, [{ kind: 'success', text: 'Saved.', undo: 5 }])
  assert.deepEqual(woken, ['planner', 'locale'])
  const by = { userId, userEmail: 'ann@example.com', address: '192.0.2.9' }
  const subject = { subjectType: 'entry', subjectId: '3' }
  assert.deepEqual(await entries(), [
    { action: 'entry.changed', summary: 'Changed “About”', ...subject, ...by },
  ])
  assert.partialDeepStrictEqual(logged, [{ action: 'entry.changed', userId }])
  assert.match((logged[0] as { auditHash: string }).auditHash, /^[0-9a-f]{64}$/)
  await finish(context, { action: 'users.signed_out', summary: 'All' }, { to: '/admin', text: '' })
  assert.deepEqual((await entries())[0], { action: 'users.signed_out', summary: 'All', ...by })
})

test('nothing is recorded if nothing changed or it was refused', async (t) => {
  const { context, woken, flashes, entries } = await aPage(t)
  assert.equal((await finish(context, false, { to: '/admin', text: 'Unchanged.' })).status, 303)
  assert.equal(refuse(context, { to: '/admin', text: 'Not now.' }).status, 303)
  assert.deepEqual([await entries(), woken], [[], []])
  assert.deepEqual(flashes, [
    { kind: 'success', text: 'Unchanged.' },
    { kind: 'error', text: 'Not now.' },
  ])
})

test('a change wakes the workers that it affects', async (t) => {
  const { app, woken } = await aPage(t)
  for (const [action, workers] of [
    ['entry.changed', ['planner', 'locale']],
    ['form.changed', ['desk', 'planner', 'locale']],
    ['form.emails_changed', ['desk']],
    ['note.added', ['search']],
    ['submission.not_spam', ['dispatcher', 'mail']],
    ['webhook.changed', ['desk', 'dispatcher']],
    ['entry.draft_saved', []],
    ['submission.opened', []],
  ] as const) {
    await wakeAfter(app, action)
    assert.deepEqual(woken.splice(0), workers, action)
  }
  const { app: other, woken: others } = await aPage(t, { hasMail: false })
  await wakeAfter(other, 'submission.email_sent')
  assert.deepEqual(others, [])
})

test('an action names its subject, or what it is about', () => {
  assert.deepEqual(
    (['user.removed', 'entries.ordered', 'note.added', 'offers.changed', 'site.published'] as const).map(
      subjectOf,
    ),
    ['user', 'content_type', 'submission', 'term', 'release'],
  )
})

test('a version names who saved it', async (t) => {
  const { context } = await aPage(t)
  assert.deepEqual(savingBy(context).by, { source: 'admin', email: 'ann@example.com' })
  assert.equal(savingBy(context, 'restored').by.source, 'restored')
  assert.throws(() => savingBy({ locals: {} } as never), /needs an administrator/)
})

test('a change of a form ends with a redirect, or with its problems', async (t) => {
  const { context, rewritten } = await aPage(t)
  const shown: string[] = []
  const form = {
    fail: (field: string, message: string) => shown.push(`${field}: ${message}`),
    outdate: (thing: string, version: string) => shown.push(`${thing} ${version}`),
  }
  const saved = (value: number) => new Response(String(value))
  const end = (outcome: Parameters<typeof answerChange<number>>[2], more = {}) =>
    answerChange(context, form, outcome, { thing: 'page', saved, ...more })
  const done = await end({ kind: 'saved', value: 7 })
  assert.equal(await done?.text(), '7')
  assert.equal(await end({ kind: 'invalid', problems: [PROBLEM] }), undefined)
  assert.equal(shown.length, 1)
  assert.match(shown.pop() ?? '', /^settings\.slug: ./)
  const own = { inputOf: () => 'name', describe: () => 'Wrong.' }
  await end({ kind: 'invalid', problems: [PROBLEM] }, own)
  await end({ kind: 'outdated', version: 'v2' })
  assert.deepEqual(shown.splice(0), ['name: Wrong.', 'page v2'])
  for (const outcome of [{ kind: 'not_found' }, { kind: 'refused', code: 'not_allowed' }] as const)
    assert.equal((await end(outcome))?.status, 404)
  assert.deepEqual(rewritten, Array(2).fill('GET https://a.example/admin/not-found a=b'))
  assert.deepEqual(shown, [])
})

test('a button without a form leads back with the reasons', async (t) => {
  const { context, flashes } = await aPage(t)
  const saved = () => new Response()
  const describe = () => 'Wrong.'
  const outcome = { kind: 'invalid', problems: [PROBLEM, PROBLEM] } as never
  const answer = await answerChange(context, { back: '/admin/x' }, outcome, { saved, describe })
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/admin/x'])
  const outdated = { kind: 'outdated', version: 'v2' } as never
  await answerChange(context, { back: '/admin/x' }, outdated, { saved, describe })
  const [wrong, late] = flashes as { text: string }[]
  assert.deepEqual(wrong, { kind: 'error', text: 'Nothing was changed. Wrong. Wrong.' })
  assert.match(late?.text ?? '', /^Nothing was changed\. Something was saved/)
})
