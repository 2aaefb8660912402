import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { findTotpStep, makeTotpSecret } from '#src/auth/totp.ts'

const NOW = new Date('2026-11-21T10:00:10.000Z')
const STEP = Math.floor(NOW.getTime() / 30_000)
const secret = makeTotpSecret()
const codeOf = (step: number) =>
  new TOTP({ secret: Secret.fromBase32(secret), period: 30 }).generate({ timestamp: step * 30_000 })
const stepOf = (code: string, lastStep: number | null = null) =>
  findTotpStep(code, { secret, lastStep, now: NOW })

test('a secret has 160 random bits', () => {
  assert.match(secret, /^[A-Z2-7]{32}$/)
  assert.notEqual(makeTotpSecret(), secret)
})

test('a code is accepted half a minute early or late, and no longer', () => {
  const found = [-2, -1, 0, 1, 2].map((away) => stepOf(codeOf(STEP + away)))
  assert.deepEqual(found, [undefined, STEP - 1, STEP, STEP + 1, undefined])
})

test('a code is accepted only after the last one used', () => {
  const code = codeOf(STEP)
  assert.deepEqual(
    [stepOf(code, STEP - 1), stepOf(code, STEP), stepOf(code, STEP + 1)],
    [STEP, undefined, undefined],
  )
})

test('a code has six digits and may contain spaces', () => {
  const code = codeOf(STEP)
  assert.equal(stepOf(` ${code.slice(0, 3)} ${code.slice(3)} `), STEP)
  for (const wrong of ['', `${code}0`, `0${code}`, `x${code}`, `${code}x`, code.slice(1)])
    assert.equal(stepOf(wrong), undefined, wrong)
})
