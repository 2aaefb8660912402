import { open } from 'node:fs/promises'

/** Returns the first bytes of a file; fewer when the file is shorter. */
export async function readHead(path: string, bytes: number): Promise<Buffer> {
  await using handle = await open(path)
  const head = Buffer.alloc(bytes)
  const { bytesRead } = await handle.read(head, 0, bytes, 0)
  return head.subarray(0, bytesRead)
}
