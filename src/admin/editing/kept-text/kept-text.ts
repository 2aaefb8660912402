const PREFIX = 'signpost:unsaved:'
const SENT = 'signpost:sent'
const DAY_MS = 86_400_000
/** Afterward nobody misses it. */
const KEPT_DAYS = 30

/** A form's fields as they were typed. */
export interface KeptText {
  /** When they were typed, in ms. */
  at: number
  fields: [name: string, value: string][]
}

/** The text of one form in this browser, by user and address. */
export interface KeptTexts {
  find(): KeptText | undefined
  keep(fields: KeptText['fields'], now: number): void
  forget(): void
  /** Records that the text was sent; the next page shows whether it was saved. */
  markSent(): void
  /** Forgets the text that this tab sent last. */
  forgetSent(): void
  clearSent(): void
}

/**
 * Returns a form's unsaved text. If the browser's storage is full or blocked, nothing is kept, and only the warning
 * before leaving remains.
 */
export function keptTexts(name: string, { local, session }: { local: Storage; session: Storage }): KeptTexts {
  const key = PREFIX + name
  return {
    find: () => readText(local, key),
    keep: (fields, at) => attempt(() => local.setItem(key, JSON.stringify({ at, fields }))),
    forget: () => local.removeItem(key),
    markSent: () => attempt(() => session.setItem(SENT, key)),
    forgetSent() {
      const sent = session.getItem(SENT)
      if (sent?.startsWith(PREFIX)) local.removeItem(sent)
    },
    clearSent: () => session.removeItem(SENT),
  }
}

/** Deletes text older than 30 days. */
export function forgetOldTexts(local: Storage, now: number): void {
  for (const key of Object.keys(local)) {
    if (!key.startsWith(PREFIX)) continue
    const text = readText(local, key)
    if (!text || now - text.at > KEPT_DAYS * DAY_MS) local.removeItem(key)
  }
}

function readText(local: Storage, key: string): KeptText | undefined {
  try {
    const kept = JSON.parse(local.getItem(key) ?? 'null')
    return Array.isArray(kept?.fields) && typeof kept.at === 'number' ? kept : undefined
  } catch {
    return undefined
  }
}

function attempt(write: () => void): void {
  try {
    write()
  } catch {
    // The storage is full or turned off.
  }
}
