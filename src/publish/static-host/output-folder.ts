import { readdir } from 'node:fs/promises'

/** What is in a folder that a command is to write into; nothing where there is none. Throws when it is a file. */
export async function listOutput(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    throw error.code === 'ENOTDIR' ? new Error(`${folder} is no folder; name one that is empty`) : error
  })
}

/** Why nothing is written there: it is not ours to delete. */
export function otherFiles(folder: string): Error {
  return new Error(`${folder} holds other files; name a folder that is empty, or one written by this command`)
}
