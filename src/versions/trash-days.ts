/** How long the trash keeps what was deleted. */
export const TRASH_DAYS = 30

const DAY_MS = 86_400_000

/** The moment at which something that was deleted then is removed for good; UTC text. */
export function leavesTrashAt(deletedAt: string): string {
  return new Date(Date.parse(deletedAt) + TRASH_DAYS * DAY_MS).toISOString()
}

/** What was deleted before this moment leaves the trash; UTC text. */
export function trashLimit(now: Date): string {
  return new Date(now.getTime() - TRASH_DAYS * DAY_MS).toISOString()
}
