import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createAdministrator } from '#src/auth/create-administrator.ts'
import { signIn } from '#src/auth/sign-in.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'
import { openTestDatabase } from '../../support/database.ts'
import { compareTimes } from '../../support/paired-times.ts'
import { printFigure, soakLength } from '../../support/soak.ts'

const ROUNDS = soakLength(40, 400)
// With three times as many programs as cores, 40 rounds differed by up to 7 % of the processor's time and 34 % of the
// clock's; without the hash of unknown accounts they differ by more than 90 %.
const MOST_BY_PROCESSOR = 0.1
const MOST_BY_CLOCK = soakLength(0.5, 0.05)

const percent = (share: number) => `${(share * 100).toFixed(1)} %`

test('known and unknown accounts are refused in the same time', async (t) => {
  const db = await openTestDatabase(t)
  const secretBox = createSecretBox(randomBytes(32))
  const account = { email: 'known@example.com', name: null, password: 'correct horse battery' }
  await createAdministrator(db, account, { now: new Date() })

  // Each attempt has an address and its own hour: no limit is reached.
  const signInAs = (name: 'known' | 'unknown') => async (round: number) => {
    const visitor = { address: `${name} ${round}`, userAgent: '', device: undefined }
    const now = new Date(Date.UTC(2026, 0, 1, round))
    const input = { email: `${name}@example.com`, password: 'a wrong password', visitor }
    assert.equal((await signIn({ db, secretBox }, input, { now })).kind, 'refused')
  }
  const { byClock, byProcessor } = await compareTimes(ROUNDS, signInAs('unknown'), signInAs('known'))
  printFigure(t, `pairs differ by ${percent(byClock)} (median of ${ROUNDS})`)
  assert.ok(byProcessor <= MOST_BY_PROCESSOR, `${percent(byProcessor)} of the processor's time`)
  assert.ok(byClock <= MOST_BY_CLOCK, `${percent(byClock)} of the time`)
})
