const PLAIN = /^[\p{L}\p{N}_@%+=:,./-]+$/u

/** Returns a path as one word of a shell command: quoted if it has spaces or other special characters. */
export function shellWord(path: string, platform: string = process.platform): string {
  if (platform === 'win32') return /[^\p{L}\p{N}_@+=:,./\\-]/u.test(path) ? `"${path}"` : path
  return PLAIN.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
