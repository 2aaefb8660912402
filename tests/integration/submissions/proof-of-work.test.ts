import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { fixedRing } from '#src/lib/key-ring.ts'
import { describeAnswer } from '#src/messages/visitor/answers.ts'
import { createProofOfWork } from '#src/submissions/limits/proof-of-work.ts'
import { deleteExpiredChallenges } from '#src/submissions/limits/spent-challenge-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aDesk, countRows } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { solve, toPayload } from '../../support/solve-challenge.ts'

const KEY = new Uint8Array(32).fill(5)
const RUN_OUT = { _altcha: [describeAnswer({ code: 'bot_check_failed' })] }

async function aGuardedForm(db: Kysely<Schema>) {
  await storeForm(db, 'quote', { settings: { anti_spam: { proof_of_work: true } } })
  const clock = { time: Date.parse('2026-11-20T10:00:00.000Z') }
  const now = () => new Date(clock.time)
  const proofOfWork = createProofOfWork({ secretKeys: fixedRing(KEY), now })
  const desk = aDesk(db, { now, proofOfWork })
  const post = (body: Record<string, unknown>) => desk.accept('quote', { answer: 'hello', ...body })
  return { clock, proofOfWork, post }
}

test('anti_spam.proof_of_work: a solved challenge is accepted once', async (t) => {
  const db = await openTestDatabase(t)
  const { proofOfWork, post } = await aGuardedForm(db)
  const _altcha = solve(await proofOfWork.issue('quote'))
  const _id = randomUUID()
  assert.equal((await post({ _id, _altcha })).kind, 'accepted')
  // The answer was lost on the way: the same post again is the same submission.
  assert.equal((await post({ _id, _altcha })).kind, 'repeated')
  const again = await post({ _altcha })
  assert.deepEqual(again.kind === 'invalid' && again.errors, RUN_OUT)
  assert.equal(await countRows(db, 'form_submissions'), 1)
})

test('anti_spam.proof_of_work: of concurrent posts with one challenge only one is stored', async (t) => {
  const db = await openTestDatabase(t)
  const { proofOfWork, post } = await aGuardedForm(db)
  const _altcha = solve(await proofOfWork.issue('quote'))
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => post({ _altcha })))
  assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), ['accepted', ...Array(7).fill('invalid')])
  assert.equal(await countRows(db, 'form_submissions'), 1)
})

test('anti_spam.proof_of_work: without a solution the form explains what to do and keeps the values', async (t) => {
  const db = await openTestDatabase(t)
  const { post } = await aGuardedForm(db)
  const outcome = await post({})
  assert.ok(outcome.kind === 'invalid')
  assert.equal(String(outcome.errors._altcha), describeAnswer({ code: 'bot_check_missing' }))
  assert.deepEqual(outcome.values, { answer: ['hello'] })
})

test('anti_spam.proof_of_work: unsolved, expired, and foreign challenges are refused', async (t) => {
  const db = await openTestDatabase(t)
  const { clock, proofOfWork, post } = await aGuardedForm(db)
  const challenge = await proofOfWork.issue('quote')
  const solved = solve(challenge)
  const foreign = createProofOfWork({
    secretKeys: fixedRing(new Uint8Array(32)),
    now: () => new Date(clock.time),
  })
  const parts = JSON.parse(Buffer.from(solved, 'base64').toString())
  const wrong = [
    toPayload({ ...parts, number: (parts.number + 1) % 50_000 }),
    toPayload({ ...parts, salt: parts.salt.replace('form=quote', 'form=other') }),
    toPayload({ ...parts, salt: parts.salt.replace(/expires=\d+/, 'expires=9999999999') }),
    toPayload({ ...parts, algorithm: 'SHA-1' }),
    toPayload({ ...parts, number: -1 }),
    toPayload([]),
    solve(await proofOfWork.issue('other')),
    solve(await foreign.issue('quote')),
    'x'.repeat(10_000),
    ['a', 'b'],
  ]
  for (const _altcha of wrong) {
    const outcome = await post({ _altcha })
    assert.deepEqual(outcome.kind === 'invalid' && outcome.errors, RUN_OUT, String(_altcha).slice(0, 200))
  }
  clock.time += 31 * 60_000
  assert.equal((await post({ _altcha: solved })).kind, 'invalid')
  assert.equal(await countRows(db, 'form_submissions'), 0)
})

test('anti_spam.proof_of_work: used challenges are kept until they expire', async (t) => {
  const db = await openTestDatabase(t)
  const { clock, proofOfWork, post } = await aGuardedForm(db)
  await post({ _altcha: solve(await proofOfWork.issue('quote')) })
  const kept = () => db.selectFrom('spent_challenges').selectAll().execute()
  await deleteExpiredChallenges(db, { now: new Date(clock.time + 29 * 60_000) })
  assert.equal((await kept()).length, 1)
  await deleteExpiredChallenges(db, { now: new Date(clock.time + 31 * 60_000) })
  assert.equal((await kept()).length, 0)
})

test('a challenge is valid for exactly 30 minutes', async () => {
  let time = Date.parse('2026-11-20T10:00:00.000Z')
  const proofOfWork = createProofOfWork({
    secretKeys: fixedRing(new Uint8Array(32)),
    now: () => new Date(time),
  })
  const solution = solve(await proofOfWork.issue('quote'))
  time += 30 * 60_000 - 1
  assert.ok(await proofOfWork.check('quote', solution))
  time += 1
  assert.equal(await proofOfWork.check('quote', solution), undefined)
})

test('a challenge of the former key is accepted only while both keys are valid', async () => {
  const [former, next] = [new Uint8Array(32).fill(5), new Uint8Array(32).fill(6)]
  let keys = [former]
  const proofOfWork = createProofOfWork({ secretKeys: () => keys, now: () => new Date() })
  const solution = solve(await proofOfWork.issue('quote'))
  keys = [next, former]
  assert.ok(await proofOfWork.check('quote', solution))
  const renewed = solve(await proofOfWork.issue('quote'))
  keys = [next]
  assert.equal(await proofOfWork.check('quote', solution), undefined)
  assert.ok(await proofOfWork.check('quote', renewed))
})

test('without a key, a form that requires a proof of work refuses every post, and others take them', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote', { settings: { anti_spam: { proof_of_work: true } } })
  await storeForm(db, 'other')
  const desk = aDesk(db, { proofOfWork: undefined })
  for (const _altcha of ['anything', '']) {
    const outcome = await desk.accept('quote', { _altcha })
    assert.ok(outcome.kind === 'invalid')
    assert.deepEqual(Object.keys(outcome.errors), ['_altcha'])
  }
  assert.equal((await desk.accept('other', {})).kind, 'accepted')
})
