import type { Administrator } from '../../auth/administrator.ts'
import { publishStates, starterLabels } from '../../messages/admin/publish.ts'
import type { Publish } from '../../publish/publish-store.ts'

/** Names who or what started a publish. */
export function starterOf(publish: Publish, users: readonly Pick<Administrator, 'id' | 'email'>[]): string {
  const user = users.find(({ id }) => id === publish.userId)
  return user?.email ?? starterLabels[publish.startedBy]
}

export function stateOf({ status }: Publish): string {
  return publishStates[status]
}

/** Formats `12 changed, 3 added`, leaving out zeros. */
export function describeCounts({ added, changed, removed }: Publish['pages']): string {
  const counts = Object.entries({ changed, added, removed }).filter(([, count]) => count > 0)
  return counts.map(([word, count]) => `${count.toLocaleString('en-US')} ${word}`).join(', ')
}

/** `3.2 s`, `4 min 10 s` */
export function describeDuration(from: string, until: string): string {
  const seconds = (Date.parse(until) - Date.parse(from)) / 1_000
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole < 10 ? seconds.toFixed(1) : whole} s`
  return `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** `6.4 MB` */
export function describeSize(bytes: number): string {
  const megabytes = bytes / 1_000_000
  return megabytes >= 1_000 ? `${(megabytes / 1_000).toFixed(1)} GB` : `${megabytes.toFixed(1)} MB`
}
