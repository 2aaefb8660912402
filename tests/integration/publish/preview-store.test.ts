import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { answerPreview, claimAnswerMail, listAnswers } from '#src/publish/previews/answer-store.ts'
import { sweepPreviews } from '#src/publish/previews/make-preview.ts'
import {
  approvePreview,
  endPreview,
  findOpenPreview,
  insertPreview,
  listOpenTokens,
  listPreviews,
  storeStaged,
} from '#src/publish/previews/preview-store.ts'
import { sqliteEngine } from '#tests/support/database.ts'
import { postgresEngine } from '#tests/support/postgres-engine.ts'

const now = new Date('2026-11-24T10:00:00.000Z')

const preview = {
  ...{ tokenSha256: 'a'.repeat(64), madeAt: now.toISOString(), madeBy: 'ann@example.com' },
  ...{ expiresAt: '2026-12-01T10:00:00.000Z', selected: [{ subject: 'entry' as const, subjectId: '3' }] },
  edits: [{ name: 'About', kind: 'Pages', change: 'added' as const, fields: [] }],
  hasMoreEdits: true,
}
const staged = {
  ...{ releaseId: '20261124T100000000Z', changeId: 7, pagesHash: 'b'.repeat(64), pageCount: 1 },
  changes: [{ change: 'added' as const, path: '/about', key: 'entry:3' }],
  kinds: { other: 1 },
}

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  test(`a preview is approved once and ended once (${engine.name})`, async () => {
    const db = await engine.openMigrated()
    const id = await insertPreview(db, preview)
    assert.equal(await approvePreview(db, id, { name: 'Early', note: '', now }), false)
    assert.equal((await storeStaged(db, id, { ...staged, now }))?.pagesSha256, staged.pagesHash)
    const answer = { name: 'Cleo', isMailed: true, now }
    assert.equal(await answerPreview(db, id, { ...answer, kind: 'changes', note: 'Larger' }), true)
    const lostAt = new Date(now.getTime() + 1_000)
    assert.deepEqual((await claimAnswerMail(db, { now, lostAt }))?.madeBy, 'ann@example.com')
    assert.equal(await claimAnswerMail(db, { now, lostAt }), undefined)
    assert.equal((await claimAnswerMail(db, { now: lostAt, lostAt }))?.mailAttempts, 2)
    const open = await findOpenPreview(db, preview.tokenSha256, { now })
    assert.deepEqual([open?.id, open?.changeId], [id, 7])
    assert.deepEqual([open?.changes, open?.selected], [staged.changes, preview.selected])
    assert.deepEqual([open?.edits, open?.hasMoreEdits], [preview.edits, true])
    const unseen = { name: 'Cleo', note: '', pagesHash: 'c'.repeat(64), now }
    assert.equal(await approvePreview(db, id, unseen), false, 'other pages were shown')
    assert.equal(await approvePreview(db, id, { name: 'Cleo', note: '', now }), true)
    const other = { ...staged, pagesHash: 'c'.repeat(64), now }
    assert.equal(await storeStaged(db, id, other), undefined, 'other pages were approved')
    const moved = { ...staged, releaseId: '20261125T100000000Z', now }
    assert.equal((await storeStaged(db, id, moved))?.releaseId, moved.releaseId)
    assert.equal(await approvePreview(db, id, { name: 'Mallory', note: '', now }), false)
    const expired = { now: new Date(preview.expiresAt) }
    assert.equal(await findOpenPreview(db, preview.tokenSha256, expired), undefined)
    assert.deepEqual(await listOpenTokens(db, { now }), [preview.tokenSha256])
    assert.equal(await endPreview(db, id, { now }), true)
    assert.equal(await endPreview(db, id, { now }), false)
    assert.deepEqual(await listOpenTokens(db, { now }), [])
    const left = async () => (await listPreviews(db, { limit: 9 })).length
    const sweep = (at: string) =>
      sweepPreviews(db, { dataDir: join(tmpdir(), 'no-previews'), now: new Date(at) })
    await sweep('2026-12-31T09:00:00.000Z')
    assert.equal(await left(), 1)
    await sweep('2026-12-31T11:00:00.000Z')
    assert.equal(await left(), 0)
  })

  test(`an approval is kept after many requests for changes (${engine.name})`, async () => {
    const db = await engine.openMigrated()
    const id = await insertPreview(db, preview)
    await storeStaged(db, id, { ...staged, now })
    const answer = (kind: 'approved' | 'changes') =>
      answerPreview(db, id, { kind, name: 'Cleo', note: 'Larger', isMailed: false, now })
    for (let count = 0; count < 20; count++) assert.equal(await answer('changes'), true)
    assert.equal(await answer('changes'), false)
    assert.equal(await answer('approved'), true)
    assert.equal((await listAnswers(db, [id])).at(-1)?.kind, 'approved')
    assert.deepEqual([await answer('approved'), await answer('changes')], [false, false])
  })
}
