const RANDOM_BYTES = 16

// If the browser blocks storage, an ID lasts as long as the page.
const ids = new Map<string, string>()

/**
 * Returns the `_id` of the submission being filled in: a UUID that stays the same for this form on this page until
 * it is accepted, even after a reload, so that a post whose response was lost isn't stored twice.
 */
export function submissionId(action: string): string {
  const id = ids.get(action) ?? read(keyOf(action)) ?? newId()
  ids.set(action, id)
  use((storage) => storage.setItem(keyOf(action), id))
  return id
}

/** The next submission gets a new one. */
export function forgetSubmissionId(action: string): void {
  ids.delete(action)
  use((storage) => storage.removeItem(keyOf(action)))
}

/** Returns the visit stored in the tab (../visit/note-visit.ts), for the `_source` control. */
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
    // Storage is blocked or full.
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
