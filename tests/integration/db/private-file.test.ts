import assert from 'node:assert/strict'
import { chownSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ledgerFile, openLedger } from '#src/publish/ledger/ledger-store.ts'
import { temporaryFolder } from '../../support/database.ts'
import { skipWithout } from '../../support/needed-tool.ts'

const NOBODY = 65_534

test('a ledger created by root belongs to its folder’s owner', {
  skip: skipWithout(process.geteuid?.() === 0, 'not run by the superuser'),
}, (t) => {
  const folder = temporaryFolder(t)
  chownSync(folder, NOBODY, NOBODY)
  const ledger = openLedger(ledgerFile(folder))
  t.after(() => ledger.close())
  for (const name of ['ledger.db', 'ledger.db-wal', 'ledger.db-shm']) {
    const { uid, mode } = statSync(join(folder, name))
    assert.deepEqual([uid, mode & 0o777], [NOBODY, 0o600], name)
  }
})
