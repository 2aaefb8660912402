import type { Db } from '../../db/schema.ts'
import { publishEndTexts } from '../../messages/admin/publish.ts'
import { listPublishes, type Publish } from '../../publish/publish-store.ts'
import { describeCounts } from './describe-publish.ts'

const AFTER = 'after'
const SELECTION = 'selection'
const ENDED: readonly Publish['status'][] = ['published', 'unchanged', 'failed']

/** Returns the address of the Publish screen that shows how the next publish ends, however often it is loaded. */
export async function addressOfNextEnd(db: Db, { isSelection = false } = {}): Promise<string> {
  const [last] = await listPublishes(db, { limit: 1 })
  return `/admin/publish?${AFTER}=${last?.id ?? 0}${isSelection ? `&${SELECTION}` : ''}`
}

/** The end of a publish, as a message. */
export interface PublishEnd {
  kind: 'success' | 'warning' | 'error'
  text: string
}

/** Returns the end that this address shows; undefined before it, or if it shows none. */
export function endShownAt(
  { searchParams }: Pick<URL, 'searchParams'>,
  newestFirst: readonly Publish[],
): PublishEnd | undefined {
  const after = searchParams.get(AFTER)
  if (!after || !/^\d{1,15}$/.test(after)) return undefined
  const publish = newestFirst.findLast(({ id, status }) => id > Number(after) && ENDED.includes(status))
  return publish && describeEnd(publish, searchParams.has(SELECTION))
}

function describeEnd({ status, pages, failureMessage }: Publish, isSelection: boolean): PublishEnd {
  if (status === 'failed') return { kind: 'error', text: publishEndTexts.failed(failureMessage ?? '') }
  const { added, changed, removed } = pages
  const count = added + changed + removed
  if (status === 'unchanged' && isSelection) return { kind: 'warning', text: publishEndTexts.noEffect }
  if (status === 'unchanged') return { kind: 'success', text: publishEndTexts.unchanged }
  if (count === 0) return { kind: 'success', text: publishEndTexts.noPages }
  return { kind: 'success', text: publishEndTexts.published(count, describeCounts(pages)) }
}
