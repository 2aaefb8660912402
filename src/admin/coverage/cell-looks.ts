import { stateLabels } from '../../messages/admin/coverage.ts'
import { formatCount } from '../../messages/plural.ts'
import type { PageCounts, PageState } from '../../site/quality/judged-coverage.ts'

/** Display of a state: a color, a symbol that works without color, and a name. */
export const LOOKS: Record<PageState, { sign: string; label: string; cell: string; bar: string }> = {
  offered: {
    sign: '●',
    label: stateLabels.offered,
    cell: 'bg-success/15 text-success',
    bar: 'fill-success',
  },
  overridden: {
    sign: '◆',
    label: stateLabels.overridden,
    cell: 'bg-primary/15 text-primary',
    bar: 'fill-primary',
  },
  unlisted: {
    sign: '▽',
    label: stateLabels.unlisted,
    cell: 'bg-error/15 text-error',
    bar: 'fill-error',
  },
  draft: { sign: '◌', label: stateLabels.draft, cell: 'bg-warning/15 text-warning', bar: 'fill-warning' },
  missing: { sign: '–', label: stateLabels.missing, cell: 'quiet', bar: 'fill-base-300' },
}

export const STATES = [
  'offered',
  'overridden',
  'unlisted',
  'draft',
  'missing',
] as const satisfies readonly PageState[]

/** The counts as segments of a bar that is 100 wide. */
export function barParts(counts: PageCounts): { state: PageState; x: number; width: number }[] {
  const total = STATES.reduce((sum, state) => sum + counts[state], 0)
  let x = 0
  return STATES.flatMap((state) => {
    const width = total === 0 ? 0 : (counts[state] / total) * 100
    x += width
    return width === 0 ? [] : [{ state, x: x - width, width }]
  })
}

/** `12 of 45` as text that works without the picture. */
export function describeCounts(counts: PageCounts): string {
  return STATES.filter((state) => counts[state] > 0)
    .map((state) => `${formatCount(counts[state])} ${LOOKS[state].label.toLowerCase()}`)
    .join(', ')
}
