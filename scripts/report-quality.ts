import { publishTexts } from '../src/messages/command-line/content.ts'
import type { ReleasePlan } from '../src/publish/plan/plan-release.ts'
import { adviceFor, type QualityFacts } from '../src/site/quality/page-quality.ts'

const SHOWN_ADVICE = 2

type Planned = Pick<ReleasePlan, 'quality'>

/** Prints how many location pages are kept out of search engines, and where to see them. */
export function reportQuality({ quality }: Planned): void {
  if (quality.unlisted === 0) return
  console.log(publishTexts.quality(quality.unlisted, quality.pages))
  console.log(publishTexts.qualityLists)
}

/** Prints the best location pages among those kept out of search engines, and what would raise their score. */
export function listClosest({ quality }: Planned): void {
  if (quality.unlisted === 0) return
  console.log(publishTexts.quality(quality.unlisted, quality.pages))
  console.log(publishTexts.closest)
  for (const { path, score, facts } of quality.closest) {
    console.log(`  ${String(score).padStart(3)}  ${path}: ${describeAdvice(facts)}`)
  }
}

function describeAdvice(facts: QualityFacts): string {
  return adviceFor(facts)
    .slice(0, SHOWN_ADVICE)
    .map(({ advice, points }) => publishTexts.advice(advice, Math.round(points)))
    .join('. ')
}
