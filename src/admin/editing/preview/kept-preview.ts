const KEY = 'signpost:preview'

/** A preview as shown when its form was sent. */
interface KeptPreview {
  /** Path of the preview. */
  address: string
  html: string
  /** Its scroll position. */
  top: number
}

/** Keeps a preview for the page after a save, which shows it until it has a new one. */
export function keepPreview(preview: KeptPreview): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(preview))
  } catch {
    // The page is larger than the browser's limit.
  }
}

/** Returns the preview kept for this path, once. */
export function takePreview(address: string): KeptPreview | undefined {
  const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as KeptPreview | null
  sessionStorage.removeItem(KEY)
  return kept?.address === address ? kept : undefined
}
