import type { Sorting } from '../../submissions/inbox/sort-submissions.ts'

const DONE: Readonly<Record<Sorting, string>> = {
  read: 'marked as read',
  unread: 'marked as unread',
  archive: 'archived',
  restore: 'put back into the inbox',
  spam: 'marked as spam; nothing of it is sent on',
  not_spam: 'marked as no spam and sent on',
}

/** `3 submissions archived.` */
export function describeSorting(sorting: Sorting, count: number): string {
  if (count === 0) return 'Nothing had to be changed.'
  return `${count === 1 ? '1 submission' : `${count} submissions`} ${DONE[sorting]}.`
}
