import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRobot } from '#src/server/visits/visit-request.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

test('browsers are people; bots, and clients with no or an endless user agent, are robots', () => {
  assert.equal(isRobot(FIREFOX), false)
  assert.equal(isRobot(FIREFOX), false)
  assert.equal(isRobot('Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'), true)
  assert.equal(isRobot(''), true)
  assert.equal(isRobot(undefined), true)
  assert.equal(isRobot(FIREFOX.padEnd(1_000)), false)
  assert.equal(isRobot(FIREFOX.padEnd(1_001)), true)
})
