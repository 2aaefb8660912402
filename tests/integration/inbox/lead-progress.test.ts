import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { findSubmission } from '#src/submissions/submission-store.ts'
import { startAdmin } from '../../support/admin.ts'
import { assertStored } from '../../support/desk.ts'
import { newestChanges } from '../../support/pages/told.ts'
import { VALID_ANSWERS } from '../../support/submission-server.ts'

test('a lead has a stage, an assignee, and neighbors in its list, and the inbox filters by both', async (t) => {
  const site = await startAdmin(t)
  const { db, desk } = site.app
  const post = async (full_name: string) =>
    assertStored(await desk.accept('waitlist', { ...VALID_ANSWERS, full_name })).id
  const [ann, bob, cleo] = [await post('Ann'), await post('Bob'), await post('Cleo')]
  const { id: me, email } = await db
    .selectFrom('admin_users')
    .select(['id', 'email'])
    .executeTakeFirstOrThrow()

  await t.test('both are saved, and the activity says so', async () => {
    const page = await site.open(`/admin/inbox/${bob}`)
    assert.equal(page.valueOf('Stage'), 'new')
    const fields = { stage: 'quoted', assignee: String(me) }
    assert.equal((await site.post(`/admin/inbox/${bob}/progress`, fields)).status, 303)
    const lead = await findSubmission(db, bob, EVERY_LEAD)
    assert.deepEqual([lead?.stage, lead?.assigneeId], ['quoted', me])
    const [change] = await newestChanges(site)
    assert.match(JSON.stringify(change), new RegExp(`Set lead ${bob} to Quoted and assigned it to ${email}`))
    const again = await site.open(`/admin/inbox/${bob}`)
    assert.deepEqual([again.valueOf('Stage'), again.valueOf('Assigned to')], ['quoted', String(me)])
  })

  await t.test('of two users who open it, the second keeps what only the first changed', async () => {
    const shown = { stage_before: 'quoted', assignee_before: String(me) }
    const save = (fields: { stage: string; assignee: string }) =>
      site.post(`/admin/inbox/${bob}/progress`, { ...shown, ...fields })
    const stored = async () => {
      const { stage, assigneeId } = (await findSubmission(db, bob, EVERY_LEAD)) ?? {}
      return [stage, assigneeId]
    }
    await save({ stage: 'won', assignee: String(me) })
    assert.equal((await newestChanges(site))[0], `Set lead ${bob} to Won`)
    await save({ stage: 'quoted', assignee: '' })
    assert.equal((await newestChanges(site))[0], `Set lead ${bob} to Won and unassigned it`)
    assert.deepEqual(await stored(), ['won', null])
    await save({ stage: 'lost', assignee: String(me) })
    assert.deepEqual(await stored(), ['lost', null], 'the assignee that the first removed stays removed')
    await site.post(`/admin/inbox/${bob}/progress`, { stage: 'quoted', assignee: String(me) })
    const html = await (await site.fetch(`/admin/inbox/${bob}`)).text()
    assert.match(html, /name="stage_before" value="quoted"/)
    assert.match(html, new RegExp(`name="assignee_before" value="${me}"`))
  })

  await t.test('an unknown stage or user changes nothing', async () => {
    for (const fields of [{ stage: 'sold', assignee: '' }, { stage: 'won', assignee: '999' }, {}])
      await site.post(`/admin/inbox/${bob}/progress`, fields)
    const lead = await findSubmission(db, bob, EVERY_LEAD)
    assert.deepEqual([lead?.stage, lead?.assigneeId], ['quoted', me])
  })

  await t.test('the inbox filters by stage and by assignee', async () => {
    for (const [filter, shown] of [
      ['stage=quoted', ['Bob']],
      [`assignee=${me}`, ['Bob']],
      ['stage=new', ['Ann', 'Cleo']],
      ['stage=won', []],
    ] as const) {
      const page = await site.open(`/admin/inbox?${filter}`)
      for (const name of ['Ann', 'Bob', 'Cleo'])
        assert.equal(
          page.queryAllByRole('link', { name }).length,
          shown.some((one) => one === name) ? 1 : 0,
          `${filter} ${name}`,
        )
    }
  })

  await t.test('a lead links to the next one of its list', async () => {
    const all = await site.open(`/admin/inbox/${bob}`)
    assert.match(
      String(all.getByRole('link', { name: /Newer lead/ }).getAttribute('href')),
      new RegExp(`/${cleo}\\?`),
    )
    assert.match(
      String(all.getByRole('link', { name: /Older lead/ }).getAttribute('href')),
      new RegExp(`/${ann}\\?`),
    )
    const from = encodeURIComponent('/admin/inbox?stage=new')
    const narrowed = await site.open(`/admin/inbox/${cleo}?from=${from}`)
    const older = narrowed.getByRole('link', { name: /Older lead/ }).getAttribute('href')
    assert.equal(older, `/admin/inbox/${ann}?from=${from}`)
    assert.equal(narrowed.queryAllByRole('link', { name: /Newer lead/ }).length, 0)
  })
})
