import { publishTexts } from '../src/messages/command-line/content.ts'
import type { ReleasePlan } from '../src/publish/plan/plan-release.ts'
import { adviceFor, type QualityFacts } from '../src/site/quality/page-quality.ts'

const SHOWN_ADVICE = 2

/** Prints which location pages are kept out of search engines, best first, and what would raise their score. */
export function reportQuality({ quality }: Pick<ReleasePlan, 'quality'>): void {
  if (quality.unlisted === 0) return
  console.log(publishTexts.quality(quality.unlisted, quality.pages))
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
