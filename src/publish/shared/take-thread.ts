import { parentPort, workerData } from 'node:worker_threads'
import { withFreeLock } from '../../db/file-lock.ts'
import type { FilePlace } from '../../files/file-store.ts'
import { openFileStore } from '../../files/open-file-store.ts'
import { publishLock } from '../publish-lock.ts'
import { hasRelease } from '../release/release.ts'
import type { SharedRelease } from './shared-release-store.ts'
import { takeRelease } from './take-release.ts'

/** Folder and store of the thread. */
export interface TakingPlace {
  dataDir: string
  filePlace: FilePlace
}

/** A release to take, and those in the store. */
export interface TakeCall {
  id: string
  releases: readonly SharedRelease[]
}

/** Nothing was done while this server publishes. */
export type TakeAnswer = { kind: 'taken' } | { kind: 'busy' } | { kind: 'failed'; message: string }

const { dataDir, filePlace }: TakingPlace = workerData
const files = openFileStore(filePlace, { dataDir })

parentPort?.on('message', (call: TakeCall) => {
  take(call).then(send, (error: Error) => send({ kind: 'failed', message: error.message }))
})

async function take({ id, releases }: TakeCall): Promise<TakeAnswer> {
  const done = await withFreeLock(publishLock(dataDir), async () => {
    if (!hasRelease(dataDir, id)) await takeRelease(id, { dataDir, files, releases })
    return true
  })
  return { kind: done ? 'taken' : 'busy' }
}

function send(answer: TakeAnswer) {
  parentPort?.postMessage(answer)
}
