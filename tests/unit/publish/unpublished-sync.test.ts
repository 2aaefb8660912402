import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { findUnpublishedSync, forgetSync, noteSync, watchSyncs } from '#src/publish/plan/unpublished-sync.ts'
import { temporaryFolder } from '../../support/database.ts'

test('a content sync is known until it is published, and each is new once', (t) => {
  const dataDir = join(temporaryFolder(t), 'data')
  const isNew = watchSyncs(dataDir)
  assert.deepEqual([findUnpublishedSync(dataDir), isNew()], [undefined, false])
  noteSync(dataDir)
  const first = findUnpublishedSync(dataDir)
  assert.deepEqual([isNew(), isNew()], [true, false])
  noteSync(dataDir)
  forgetSync(dataDir, first)
  assert.deepEqual([isNew(), isNew()], [true, false], 'a later sync is kept')
  forgetSync(dataDir, findUnpublishedSync(dataDir))
  assert.deepEqual([findUnpublishedSync(dataDir), isNew()], [undefined, false])
})
