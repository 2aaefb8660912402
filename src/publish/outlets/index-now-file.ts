import { hkdfSync } from 'node:crypto'

/**
 * Returns the file that proves to search engines that change notices come from this site; undefined without
 * `INDEXNOW`.
 */
export function indexNowFile({
  indexnow,
  secretKeys,
}: {
  indexnow: boolean
  secretKeys: () => readonly Uint8Array[]
}): { key: string; path: string } | undefined {
  const [newest] = secretKeys()
  if (!indexnow || !newest) return undefined
  const key = indexNowKey(newest)
  return { key, path: `/${key}.txt` }
}

// Public, and the same on every server.
function indexNowKey(secretKey: Uint8Array): string {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'signpost indexnow', 16)).toString('hex')
}
