import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createAdministrator } from '../../../src/auth/create-administrator.ts'
import { signIn } from '../../../src/auth/sign-in.ts'
import { createSecretBox } from '../../../src/lib/secret-box.ts'
import { openTestDatabase } from '../../support/database.ts'
import { printFigure, soakLength } from '../../support/soak.ts'

/** In a short run a busy machine makes single measurements jump: more of them, never a wider bound. In a long one there is one verdict. */
const ROUNDS = soakLength(20, 400)
const MOST_ROUNDS = 400

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

test('known and unknown accounts are refused in the same time: medians within 5 %', async (t) => {
  const db = await openTestDatabase(t)
  const secretBox = createSecretBox(randomBytes(32))
  const account = { email: 'known@example.com', name: null, password: 'correct horse battery' }
  await createAdministrator(db, account, { now: new Date() })
  const times = { known: [] as number[], unknown: [] as number[] }

  // Each attempt has an address and an hour of its own: no limit is reached.
  async function measure(name: 'known' | 'unknown', count: number) {
    const visitor = { address: `${name} ${count}`, userAgent: '', device: undefined }
    const now = new Date(Date.UTC(2026, 0, 1, count))
    const startedAt = performance.now()
    const outcome = await signIn(
      { db, secretBox },
      { email: `${name}@example.com`, password: 'a wrong password', visitor },
      { now },
    )
    times[name].push(performance.now() - startedAt)
    assert.equal(outcome.kind, 'refused')
  }

  let off = 1
  for (let count = 0; off > 0.05; ) {
    for (const end = count + ROUNDS; count < end; count++) {
      for (const name of count % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const))
        await measure(name, count)
    }
    off = Math.abs(median(times.known) / median(times.unknown) - 1)
    assert.ok(off <= 0.05 || count < MOST_ROUNDS, `medians differ by ${(off * 100).toFixed(1)} %`)
  }
  printFigure(t, `medians differ by ${(off * 100).toFixed(1)} % in ${times.known.length} attempts each`)
})
