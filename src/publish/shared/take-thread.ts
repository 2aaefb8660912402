import { parentPort, workerData } from 'node:worker_threads'
import { withFreeLock } from '../../db/file-lock.ts'
import type { FilePlace } from '../../files/file-store.ts'
import { openFileStore } from '../../files/open-file-store.ts'
import { publishLock } from '../publish-lock.ts'
import { hasRelease } from '../release/release.ts'
import { takeFolder } from './folder-pack.ts'
import type { SharedRelease } from './shared-release-store.ts'
import { takeRelease } from './take-release.ts'

/** The thread's folder and store. */
export interface TakingPlace {
  dataDir: string
  filePlace: FilePlace
}

/** A release to fetch, and those in the store; or a folder and its place in the store. */
export type TakeCall =
  | { kind: 'release'; id: string; releases: readonly SharedRelease[] }
  | { kind: 'folder'; place: string; folder: string }

/** `none`: nothing is in the store, or this server is publishing. */
export type TakeAnswer = { kind: 'taken' } | { kind: 'none' } | { kind: 'failed'; message: string }

const { dataDir, filePlace }: TakingPlace = workerData
const files = openFileStore(filePlace, { dataDir })

parentPort?.on('message', (call: TakeCall) => {
  take(call).then(send, (error: Error) => send({ kind: 'failed', message: error.message }))
})

async function take(call: TakeCall): Promise<TakeAnswer> {
  const isTaken = call.kind === 'release' ? takeOne(call) : takeFolder(files, call.place, call.folder)
  return { kind: (await isTaken) ? 'taken' : 'none' }
}

async function takeOne({ id, releases }: Extract<TakeCall, { kind: 'release' }>): Promise<boolean> {
  const done = await withFreeLock(publishLock(dataDir), async () => {
    if (!hasRelease(dataDir, id)) await takeRelease(id, { dataDir, files, releases })
    return true
  })
  return done ?? false
}

function send(answer: TakeAnswer) {
  parentPort?.postMessage(answer)
}
