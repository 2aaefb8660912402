const RANDOM_BYTES = 16

// If the browser stores nothing, an id lasts as long as the page.
const ids = new Map<string, string>()

/**
 * The `_id` of what is being filled in: a UUID that stays the same for this form on this page until it was accepted,
 * over reloads too, so that a post whose answer was lost is not stored twice.
 */
export function submissionId(action: string): string {
  const id = ids.get(action) ?? read(keyOf(action)) ?? newId()
  ids.set(action, id)
  use((storage) => storage.setItem(keyOf(action), id))
  return id
}

/** The next submission is another one. */
export function forgetSubmissionId(action: string): void {
  ids.delete(action)
  use((storage) => storage.removeItem(keyOf(action)))
}

/** Returns the visit that the tab remembers (../visit/note-visit.ts), as the control `_source` sends it. */
export function notedVisit(): string {
  return read('signpost:visit') ?? ''
}

function read(key: string): string | null {
  let id: string | null = null
  use((storage) => {
    id = storage.getItem(key)
  })
  return id
}

function use(work: (storage: Storage) => void) {
  try {
    work(sessionStorage)
  } catch {
    // Blocked or full.
  }
}

// Pages without https have no randomUUID.
function newId(): string {
  return crypto.randomUUID?.() ?? randomHex().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function randomHex(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))]
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function keyOf(action: string): string {
  return `form ${action} ${location.pathname}`
}
