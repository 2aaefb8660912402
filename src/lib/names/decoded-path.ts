/** Returns a path with its percent-encoded characters decoded, or unchanged if it can't be decoded. */
export function decodedPath(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
