import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerVersion, answerVersions } from '#src/admin/versions/answer-versions.ts'
import { listAuditEntries } from '#src/auth/audit/audit-store.ts'
import { aVersionedPage } from '../../support/versioned-page.ts'

test('a restore is recorded, and leads to the editor', async (t) => {
  const { db, open, versioned, save, restored, message } = await aVersionedPage(t)
  const first = await save({ title: 'A', text: 'x' })
  await save({ title: 'B', text: 'y' })
  const post = (...body: [string, string][]) => answerVersion(open('', { version: first, body }), versioned())
  const answer = await post()
  assert.ok(answer instanceof Response)
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/admin/x'])
  assert.match(message()?.text ?? '', /^“About” restored/)
  const [entry] = await listAuditEntries(db, { limit: 1 })
  assert.deepEqual([entry?.action, entry?.subjectId], ['entry.restored', '7'])
  await post(['fields[]', 'title'])
  // With every value, it is the whole version.
  await post(['fields[]', 'title'], ['fields[]', 'text'])
  assert.deepEqual(restored, [undefined, ['title'], undefined])
})

test('a restore that can’t be made says why, and records nothing', async (t) => {
  const page = await aVersionedPage(t)
  const first = await page.save({ title: 'A' })
  await page.save({ title: 'B' })
  const post = async (...body: [string, string][]) => {
    const context = page.open('', { version: first, body })
    const answer = await answerVersion(context, page.versioned())
    return answer instanceof Response
      ? [answer.status, answer.headers.get('location'), page.message()?.text]
      : [context.response.status, [...(answer.selected ?? [])].join(), answer.problem]
  }
  const again = `/admin/x/versions/${first}?with=restore`
  const outdated = 'Someone else saved a change in the meantime. Check the values again.'
  assert.deepEqual(await post(['based_on', 'other']), [303, again, outdated])
  assert.deepEqual(await post(['fields[]', '']), [422, '', 'Select at least one value.'])
  page.set({ outcome: { kind: 'outdated', version: 'v2' } })
  assert.deepEqual(await post(), [303, again, outdated])
  page.set({ outcome: { kind: 'invalid', problems: [{ path: [], code: 'percent_invalid' }] } })
  const [status, selected, problem] = await post(['fields[]', 'title'])
  assert.deepEqual([status, selected], [422, 'title'])
  assert.match(String(problem), /^This version can’t be restored as is\. ./)
  page.set({ outcome: { kind: 'not_found' } })
  assert.equal((await post())[0], 404)
  assert.deepEqual(await listAuditEntries(page.db, { limit: 1 }), [])
})

test('a restore that a user isn’t allowed changes nothing', async (t) => {
  const refusal = new Response(null, { status: 403 })
  const { open, versioned, save, restored } = await aVersionedPage(t, { refuseRestore: async () => refusal })
  const version = await save({ title: 'A' })
  assert.equal(await answerVersion(open('', { version, body: [] }), versioned()), refusal)
  assert.ok(!((await answerVersion(open('', { version }), versioned())) instanceof Response))
  assert.deepEqual(restored, [])
})

test('unknown versions are not found', async (t) => {
  const { open, versioned, save } = await aVersionedPage(t)
  const version = await save({ title: 'A' })
  for (const answer of [
    await answerVersion(open('', { version: version + 1 }), versioned()),
    await answerVersion(open('', { version }), undefined),
    await answerVersions(open(), undefined),
  ])
    assert.equal(answer instanceof Response && answer.status, 404)
  const shown = await answerVersions(open(), versioned())
  assert.equal(shown instanceof Response ? 0 : shown.listed.length, 1)
})
