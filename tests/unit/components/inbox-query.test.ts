import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readInboxQuery } from '#src/admin/inbox/inbox-query.ts'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'
import { DEFAULT_STAGES } from '#src/submissions/stages/stage-settings.ts'

const ANYWHERE = { forms: [], stages: DEFAULT_STAGES, secretBox: createSecretBox(new Uint8Array(32)) }

test('a date range includes its last day, also at the end of a month and in a leap year', () => {
  const until = (day: string) =>
    readInboxQuery(new URLSearchParams({ until: day }), { scope: EVERY_LEAD, ...ANYWHERE, timeZone: 'UTC' })
      .filter.until
  assert.equal(until('2024-02-28'), '2024-02-29T00:00:00.000Z')
  assert.equal(until('2024-12-31'), '2025-01-01T00:00:00.000Z')
  assert.equal(until('2024-13-01'), undefined)
})

test('days begin and end in the business’s time zone', () => {
  const parameters = new URLSearchParams({ from: '2026-03-29', until: '2026-03-29' })
  const { filter } = readInboxQuery(parameters, { scope: EVERY_LEAD, ...ANYWHERE, timeZone: 'Europe/Dublin' })
  assert.deepEqual([filter.from, filter.until], ['2026-03-29T00:00:00.000Z', '2026-03-29T23:00:00.000Z'])
})
