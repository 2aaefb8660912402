import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { createAdministrator } from '#src/auth/create-administrator.ts'
import { hasFreshPassword } from '#src/auth/session.ts'
import { resumeSession } from '#src/auth/sessions.ts'
import { signIn } from '#src/auth/sign-in.ts'
import { backUpWhenDue } from '#src/backups/automatic-backups.ts'
import { fixedRing } from '#src/lib/key-ring.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'
import { finishRelease, listReleases, startRelease } from '#src/publish/release/release.ts'
import { createPostLimits } from '#src/submissions/limits/post-limits.ts'
import { planRetention } from '#src/submissions/retention/retention.ts'
import { openTestDatabase, temporaryFolder } from '../support/database.ts'
import { aDesk } from '../support/desk.ts'
import { storeForm } from '../support/forms.ts'
import { printFigure } from '../support/soak.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOON = Date.parse('2026-11-20T12:00:00.000Z')
const PASSWORD = 'correct horse battery'
const EMAIL = 'ann@example.com'

const at = (time: number) => ({ now: new Date(time) })

test('a clock that jumps a day locks nobody out and extends no session', async (t) => {
  const db = await openTestDatabase(t)
  const means = { db, secretBox: createSecretBox(randomBytes(32)) }
  await createAdministrator(db, { email: EMAIL, name: null, password: PASSWORD }, at(NOON))
  const visitor = { address: '1', userAgent: '', device: undefined }
  const enter = (password: string, time: number) =>
    signIn(means, { email: EMAIL, password, visitor }, at(time))
  const ahead = await enter(PASSWORD, NOON + DAY_MS)
  for (let count = 0; count < 5; count++) await enter('a wrong password', NOON + DAY_MS)
  assert.equal((await enter(PASSWORD, NOON + DAY_MS)).kind, 'too_many')
  assert.equal((await enter(PASSWORD, NOON)).kind, 'signed_in')

  assert.ok(ahead.kind === 'signed_in')
  const resume = (time: number) => resumeSession(db, ahead.token, at(time))
  const session = (await resume(NOON))?.session
  assert.ok(session)
  assert.equal(hasFreshPassword(session, at(NOON)), false)
  assert.equal(await resume(NOON + 12 * HOUR_MS), undefined)
  printFigure(t, 'sign-in: open at once, no session longer than 12 h')
})

test('a clock that jumps a day delays posts by one rate-limit window at most and marks none as spam', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote')
  const clock = { time: NOON }
  const now = () => new Date(clock.time)
  const limits = createPostLimits({
    db,
    limits: [{ count: 1, windowMs: 60_000 }],
    secretKeys: fixedRing(randomBytes(32)),
    now,
  })
  const desk = aDesk(db, { now, limits })
  const post = (body: object = {}) => desk.accept('quote', { ...body }, { address: '198.51.100.9' })
  assert.equal((await post()).kind, 'accepted')
  clock.time = NOON - 6 * HOUR_MS
  assert.deepEqual(await post(), { kind: 'too_many', retryAfterSeconds: 60 })
  clock.time += 60_000
  assert.equal((await post()).kind, 'accepted')
  for (const time of [NOON - DAY_MS, NOON + DAY_MS]) {
    clock.time = time
    assert.equal((await post({ _t: String(NOON) })).kind, 'accepted')
  }
  const rows = await db.selectFrom('form_submissions').select('status').execute()
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['new', 'new', 'new', 'new'],
  )
  printFigure(t, 'posts: 60 s of waiting at most')
})

test('a clock that jumps a day ahead expires leads at most a day early, and none when it jumps back', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote', { settings: { retention_days: 30 } })
  for (const days of [28, 29.5, 30.5]) {
    const desk = aDesk(db, { now: () => new Date(NOON - days * DAY_MS) })
    assert.equal((await desk.accept('quote', {}, {})).kind, 'accepted')
  }
  const removed = async (time: number) => (await planRetention(db, at(time)))[0]?.count
  const counts = await Promise.all([-DAY_MS, 0, DAY_MS].map((jump) => removed(NOON + jump)))
  assert.deepEqual(counts, [0, 1, 2])
  printFigure(t, 'retention: a day early at most')
})

test('a clock that jumps a day keeps daily backups and the order of releases', async (t) => {
  const folder = temporaryFolder(t)
  const log = { info() {}, error() {} }
  const makeBackup = (file: string) => writeFile(file, 'copy')
  const look = async (time: number) => {
    const options = { folder, keep: 7, makeBackup, now: () => new Date(time), log }
    await backUpWhenDue(options, new AbortController().signal)
    return (await readdir(folder)).length
  }
  const counts: number[] = []
  for (const hours of [0, 24, 0.5, 1, 24.5, 25]) counts.push(await look(NOON + hours * HOUR_MS))
  assert.deepEqual(counts, [1, 2, 2, 2, 2, 2])
  assert.equal(await look(NOON - DAY_MS), 3)
  assert.equal(await look(NOON - DAY_MS + HOUR_MS), 3)
  printFigure(t, 'backups: one each day')

  const dataDir = temporaryFolder(t)
  const fresh = (time: number) => ({ ...at(time), mayReuse: () => false })
  const first = await finishRelease(dataDir, await startRelease(dataDir, fresh(NOON)))
  const second = await finishRelease(dataDir, await startRelease(dataDir, fresh(NOON - DAY_MS)))
  assert.deepEqual(
    (await listReleases(dataDir)).map(({ id }) => id),
    [second.id, first.id],
  )
  assert.equal(first.id, '20261120T120000000Z')
})
