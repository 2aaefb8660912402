import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printFigure } from '../../support/soak.ts'
import { traceServer, withoutStrace } from '../../support/traced-server.ts'
import { aPost } from '../../support/uploads.ts'

const POSTS = 20

async function postFiles(url: string) {
  for (let posts = 0; posts < POSTS; posts += 1) {
    const response = await fetch(`${url}/api/forms/files/submissions`, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: aPost({ photo: ['a note of the visitor', 'note.txt'] }),
    })
    assert.equal(response.status, 201)
    await response.body?.cancel()
  }
}

test('a visitor’s file is synced to disk before its row: bytes, name, and folder', {
  skip: withoutStrace,
}, async (t) => {
  const calls = await traceServer(t, { post: postFiles })
  const { kept, early } = countRows(calls)
  assert.deepEqual({ kept, early }, { kept: POSTS, early: 0 })
  printFigure(t, `${early} of ${kept} rows written before their file was on disk`)
  // What would be seen if one of these syncs were missing.
  for (const [what, sync] of [
    ['of the file', /fsync\(\d+<[^>]*\/uploads\/tmp\/[0-9a-f]{32}\/\d+>/],
    ['of its folder', /fsync\(\d+<[^>]*\/uploads\/tmp\/[0-9a-f]{32}>/],
    ['of the folder of uploads', /fsync\(\d+<[^>]*\/uploads>/],
  ] as const) {
    const { early } = countRows(calls.filter((call) => !sync.test(call)))
    assert.equal(early, POSTS, `without the sync ${what}`)
  }
})

/**
 * Posts whose files were moved to stay, and rows that were written while something of their files was not synced. The row
 * is what was written into the log last before the answer: others write into it too, such as the search index.
 */
function countRows(calls: readonly string[]) {
  const unsynced = new Set<Place>()
  const counts = { kept: 0, early: 0 }
  let isEarly = false
  for (const call of calls) {
    if (isMove(call)) counts.kept += 1
    note(call, unsynced)
    if (/^pwrite64\(\d+<[^>]*signpost\.db-wal>/.test(call)) isEarly = unsynced.size > 0
    if (!call.includes('HTTP/1.1 201')) continue
    counts.early += isEarly ? 1 : 0
    unsynced.clear()
  }
  return counts
}

function note(call: string, unsynced: Set<Place>) {
  for (const place of changedBy(call)) unsynced.add(place)
  const synced = /^f(data)?sync/.test(call) ? placeOf(call) : undefined
  if (synced) unsynced.delete(synced)
}

type Place = 'file' | 'folder' | 'uploads'

function isMove(call: string): boolean {
  return call.startsWith('rename(') && call.includes('/uploads/tmp/')
}

function changedBy(call: string): Place[] {
  if (isMove(call)) return ['uploads']
  return /^p?write/.test(call) && placeOf(call) === 'file' ? ['file', 'folder'] : []
}

function placeOf(call: string): Place | undefined {
  const path = /^\w+\(\d+<([^>]*)>/.exec(call)?.[1] ?? ''
  if (/\/uploads\/tmp\/[0-9a-f]{32}\/\d+$/.test(path)) return 'file'
  if (/\/uploads\/tmp\/[0-9a-f]{32}$/.test(path)) return 'folder'
  return path.endsWith('/uploads') ? 'uploads' : undefined
}
