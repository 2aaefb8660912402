import { readdir } from 'node:fs/promises'
import { Failure } from '../../lib/messages.ts'
import { folderFailures } from '../../messages/server/publishing.ts'

/** Lists the files of a folder that a command writes into; empty if it doesn't exist. Throws if it is a file. */
export async function listOutput(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    throw error.code === 'ENOTDIR' ? new Failure(folderFailures, 'notAFolder', folder) : error
  })
}

/** Why nothing is written there: its files aren't ours to delete. */
export function otherFiles(folder: string): Error {
  return new Failure(folderFailures, 'otherFiles', folder)
}
