/** Time for which the trash keeps deleted content. */
export const TRASH_DAYS = 30

const DAY_MS = 86_400_000

/** Returns the time when something deleted then is removed permanently; UTC text. */
export function leavesTrashAt(deletedAt: string): string {
  return new Date(Date.parse(deletedAt) + TRASH_DAYS * DAY_MS).toISOString()
}

/** Returns the time before which deleted content leaves the trash; UTC text. */
export function trashLimit(now: Date): string {
  return new Date(now.getTime() - TRASH_DAYS * DAY_MS).toISOString()
}
