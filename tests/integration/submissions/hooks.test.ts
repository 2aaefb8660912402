import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createIntakeHooks, type SubmissionHooks } from '#src/submissions/intake/submission-hooks.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aDesk, assertStored, countRows } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'

const POST = { _page: '/services/ac-repair/austin', name: 'Ada' }
const FIELDS = [{ name: 'name', label: 'Name', type: 'text' as const, required: true }]

/** A desk with hooks, and what it noted of their failures. */
async function aHookedDesk(t: TestContext, hooks: SubmissionHooks, withinMs = 2_000) {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote', { fields: FIELDS })
  const failures: [string, string][] = []
  const failed = Promise.withResolvers<void>()
  const onFailure = (error: unknown, hook: string) => {
    failures.push([hook, (error as Error).message])
    failed.resolve()
  }
  const options = { siteUrl: 'https://www.example.com', onFailure, withinMs }
  const desk = aDesk(db, { hooks: createIntakeHooks(hooks, options) })
  return { db, desk, failures, failed: failed.promise }
}

test('a hook receives validated answers before the commit, and the lead after it', async (t) => {
  const seen: unknown[] = []
  const stored = Promise.withResolvers<void>()
  const { db, desk, failures } = await aHookedDesk(t, {
    async beforeSubmission({ form, answers, meta }) {
      seen.push([
        form.slug,
        answers.name,
        meta.service_slug,
        meta.page_url,
        await countRows(db, 'form_submissions'),
      ])
      answers.name = 'changed'
    },
    async afterSubmission({ id, answers }) {
      seen.push([id, answers.name, await countRows(db, 'form_submissions')])
      stored.resolve()
    },
  })
  assert.equal((await desk.accept('quote', { name: '' })).kind, 'invalid')
  const { id } = assertStored(await desk.accept('quote', POST))
  await stored.promise
  const page = 'https://www.example.com/services/ac-repair/austin'
  assert.deepEqual(seen, [
    ['quote', 'Ada', 'ac-repair', page, 0],
    [id, 'Ada', 1],
  ])
  assert.deepEqual(failures, [])
})

test('a hook refuses a post with its message, unless it is already stored', async (t) => {
  let isOpen = true
  const told: number[] = []
  const { db, desk } = await aHookedDesk(t, {
    beforeSubmission: () => (isOpen ? undefined : { refuse: ' We are closed ' }),
    afterSubmission: ({ id }) => void told.push(id),
  })
  const first = { ...POST, _id: '01890a5d-ac96-774b-bcce-b302099a8057' }
  const { id } = assertStored(await desk.accept('quote', first))
  isOpen = false
  const refused = await desk.accept('quote', POST)
  assert.ok(refused.kind === 'invalid')
  assert.deepEqual(refused.errors, { _form: ['We are closed'] })
  assert.deepEqual(refused.values, { name: ['Ada'] })
  const again = await desk.accept('quote', first)
  assert.deepEqual([again.kind, assertStored(again).id], ['repeated', id])
  assert.equal(await countRows(db, 'form_submissions'), 1)
  await nextTurn()
  assert.deepEqual(told, [id])
})

test('a hook that fails, returns an invalid value, or times out loses no lead', async (t) => {
  const broken: [NonNullable<SubmissionHooks['beforeSubmission']>, RegExp, withinMs?: number][] = [
    [
      () => {
        throw new Error('CRM is down')
      },
      /CRM is down/,
    ],
    [() => ({ refuse: '' }), /must return nothing or/],
    [() => new Promise(() => {}), /did not finish within/, 50],
    [
      () => {
        while (true) {}
      },
      /did not finish within/,
      50,
    ],
  ]
  for (const [beforeSubmission, message, withinMs] of broken) {
    const { desk, failures } = await aHookedDesk(t, { beforeSubmission }, withinMs)
    assert.equal((await desk.accept('quote', POST)).kind, 'accepted')
    assert.match(failures.join(), message)
  }
})

test('a failure after the commit is logged, and spam calls no hook', async (t) => {
  const { desk, failures, failed } = await aHookedDesk(t, {
    afterSubmission: () => Promise.reject(new Error('No route')),
  })
  assertStored(await desk.accept('quote', { ...POST, _open_ms: '400' }))
  await nextTurn()
  assert.deepEqual(failures, [])
  assertStored(await desk.accept('quote', POST))
  await failed
  assert.deepEqual(failures, [['afterSubmission', 'No route']])
})

test('without hooks a post takes no detour', () => {
  const options = { siteUrl: '', onFailure: () => {} }
  assert.equal(createIntakeHooks({}, options), undefined)
  assert.equal(createIntakeHooks({ head: () => '' } as SubmissionHooks, options), undefined)
})

test('of a long message of a hook, 300 characters are shown', async (t) => {
  const { desk } = await aHookedDesk(t, { beforeSubmission: () => ({ refuse: 'x'.repeat(301) }) })
  const refused = await desk.accept('quote', POST)
  assert.ok(refused.kind === 'invalid')
  assert.deepEqual(refused.errors, { _form: ['x'.repeat(300)] })
})
