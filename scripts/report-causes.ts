import { describeCause } from '../src/messages/admin/history/causes.ts'
import { publishTexts } from '../src/messages/command-line/content.ts'
import type { ReleasePlan } from '../src/publish/plan/plan-release.ts'

const SHOWN_CAUSES = 20

/** Prints why pages change, and how many more reasons there are. */
export function reportCauses({ causes }: Pick<ReleasePlan, 'causes'>): void {
  for (const cause of causes.slice(0, SHOWN_CAUSES)) console.log(describeCause(cause))
  if (causes.length > SHOWN_CAUSES) console.log(publishTexts.moreReasons(causes.length - SHOWN_CAUSES))
}
