import type { ReleasePlan } from '../src/publish/plan/plan-release.ts'
import { adviceFor, type QualityFacts } from '../src/site/quality/page-quality.ts'

const SHOWN_ADVICE = 2

/** Prints which location pages search engines are asked not to list, the best of them first, and what would raise them. */
export function reportQuality({ quality }: Pick<ReleasePlan, 'quality'>): void {
  if (quality.unlisted === 0) return
  console.log(
    `Quality: ${quality.unlisted} of ${quality.pages} location pages say too little of their own. They are served, but ` +
      'ask search engines not to list them (quality_threshold in site.yaml). Closest to it:',
  )
  for (const { path, score, facts } of quality.closest) {
    console.log(`  ${String(score).padStart(3)}  ${path}: ${describeAdvice(facts)}`)
  }
}

function describeAdvice(facts: QualityFacts): string {
  return adviceFor(facts)
    .slice(0, SHOWN_ADVICE)
    .map(({ advice, points }) => `${advice} (up to +${Math.round(points)})`)
    .join('. ')
}
