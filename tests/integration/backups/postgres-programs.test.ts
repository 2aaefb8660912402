import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { type Program, readDump, restoreDump } from '#src/backups/postgres-programs.ts'
import { atEnd } from '#tests/support/at-end.ts'
import { temporaryFolder } from '#tests/support/database.ts'

const URL = 'postgres://jo:p%40ss@db:5433/site'

/** Programs of a test that stand before PostgreSQL's own; each notes its arguments, environment, and input. */
function thePrograms(t: TestContext, programs: Partial<Record<Program, string>>) {
  const folder = temporaryFolder(t)
  const notes = join(folder, 'notes')
  for (const [name, does] of Object.entries(programs)) {
    const script = `#!/bin/sh\nprintf '%s\\n' "$PGPASSWORD" "$PGCONNECT_TIMEOUT" "$HOME" "$@" > '${notes}'\n${does}\n`
    writeFileSync(join(folder, name), script, { mode: 0o700 })
  }
  const before = process.env.PATH
  atEnd(t, () => {
    process.env.PATH = before
  })
  process.env.PATH = [folder, before].join(delimiter)
  return { input: join(folder, 'input'), noted: () => readFileSync(notes, 'utf8').trimEnd().split('\n') }
}

test('pg_dump writes a snapshot in the custom format and reads the password from its environment', async (t) => {
  const { noted } = thePrograms(t, { pg_dump: 'cat; printf "one "; echo warning >&2; printf two' })
  const dump = await buffer(readDump(URL, '0003-1'))
  assert.equal(dump.toString(), 'one two')
  assert.deepEqual(noted(), [
    ...['p@ss', '10', process.env.HOME],
    ...['--format=custom', '--snapshot=0003-1', '--lock-wait-timeout=60s'],
    ...['--no-owner', '--no-privileges', '--no-comments', '--dbname=postgres://jo@db:5433/site'],
  ])
})

test('pg_restore restores all parts in order in one transaction', async (t) => {
  const { input, noted } = thePrograms(t, {
    pg_restore: `cat > "$(dirname "$0")/input"; head -c 200000 /dev/zero`,
  })
  process.env.PGPASSWORD = 'of the environment'
  atEnd(t, () => delete process.env.PGPASSWORD)
  await restoreDump('postgres://db/site', [Buffer.from('one '), Buffer.from('two')])
  assert.equal(readFileSync(input, 'utf8'), 'one two')
  assert.deepEqual(noted(), [
    ...['of the environment', '10', process.env.HOME],
    ...['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges', '--no-comments'],
    '--dbname=postgres://db/site',
  ])
})

test('a dump is incomplete if pg_dump fails', async (t) => {
  for (const [does, expected] of [
    ['printf half; echo "  one" >&2; sleep 0.03; echo two >&2; exit 1', /^Error: pg_dump failed: one; two$/],
    ['printf half; exit 3', /^Error: pg_dump failed: exit code 3$/],
    ['printf half; kill -9 $$', /^Error: pg_dump failed: exit code null$/],
  ] as const) {
    thePrograms(t, { pg_dump: does })
    let read = ''
    await assert.rejects(async () => {
      for await (const part of readDump(URL, '1')) read += part
    }, expected)
    assert.equal(read, 'half')
  }
})

test('a restore fails with the reason of pg_restore, even if it stops reading', async (t) => {
  const parts = Array.from({ length: 40 }, () => Buffer.alloc(65_536))
  for (const [does, expected] of [
    [
      'cat > /dev/null; echo "no role" >&2; exit 1',
      /^Error: pg_restore failed: no role\. Nothing was restored$/,
    ],
    ['exec <&-; echo "no role" >&2; exit 1', /^Error: pg_restore failed: no role\. Nothing was restored$/],
    // It ended without reading everything, so not everything is restored.
    ['exit 0', { code: /EPIPE|ECONNRESET/ }],
  ] as const) {
    thePrograms(t, { pg_restore: does })
    await assert.rejects(restoreDump(URL, parts), expected)
  }
})

test('a part that can’t be read stops pg_restore and is reported', async (t) => {
  thePrograms(t, { pg_restore: 'cat > /dev/null' })
  const parts = (function* () {
    yield Buffer.from('one')
    throw new Error('disk failed')
  })()
  await assert.rejects(restoreDump(URL, parts), /disk failed/)
})

test('a missing program is reported', async (t) => {
  thePrograms(t, {})
  process.env.PATH = temporaryFolder(t)
  await assert.rejects(buffer(readDump(URL, '1')), /^Error: pg_dump failed: spawn pg_dump ENOENT$/)
  await assert.rejects(
    restoreDump(URL, [Buffer.from('one')]),
    /^Error: pg_restore failed: spawn pg_restore ENOENT/,
  )
})
