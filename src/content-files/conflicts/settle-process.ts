import { connectDatabase } from '../../db/connect.ts'
import { openFileStore } from '../../files/open-file-store.ts'
import { createRingBox, fixedRing } from '../../lib/key-ring.ts'
import { openPictureFiles } from '../../pictures/picture-files.ts'
import { formatMistake } from '../parsing/mistake.ts'
import { type SyncResult, syncContent } from '../syncing/sync-content.ts'
import type { SettleAnswer, SettleQuestion } from './settle-conflict.ts'

// Started by `settleConflict`, because reading every file would hold up a server.
process.once('message', (question: SettleQuestion) => {
  settle(question)
    .catch((error: Error): SettleAnswer => ({ kind: 'refused', reasons: [error.message] }))
    .then((answer) => process.send?.(answer, () => process.disconnect?.()))
})

async function settle({
  databaseUrl,
  secretKeys,
  dataDir,
  sharedPlace,
  path,
  version,
  ...options
}: SettleQuestion): Promise<SettleAnswer> {
  await using db = connectDatabase(databaseUrl)
  const result = await syncContent(db, {
    ...options,
    pictureFiles: openPictureFiles(dataDir, sharedPlace && openFileStore(sharedPlace, { dataDir })),
    environment: process.env,
    secretBox: createRingBox(fixedRing(...secretKeys)),
    now: new Date(),
    only: path,
    basedOn: version,
  })
  return toAnswer(result, path)
}

function toAnswer(result: SyncResult, path: string): SettleAnswer {
  if (result.kind === 'outdated') return { kind: 'outdated' }
  if (result.kind === 'mistakes')
    return { kind: 'refused', reasons: result.mistakes.map((mistake) => formatMistake(mistake, '')) }
  const left = result.kind === 'conflicts' ? [...result.conflicts, ...result.waiting] : []
  const own = left.filter((conflict) => conflict.path === path)
  if (own.length > 0) return { kind: 'refused', reasons: own.map(({ message }) => `${path} ${message}`) }
  return { kind: 'settled', isSiteChanged: result.isSiteChanged }
}
