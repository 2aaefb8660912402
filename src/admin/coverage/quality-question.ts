import type { QualityCursor } from '../../site/quality/page-quality-store.ts'
import type { UnlistedQuestion } from '../../site/quality/unlisted-pages.ts'

/** Reads the page filter from the URL, ignoring invalid values. */
export function readQualityQuestion({ searchParams }: URL): UnlistedQuestion {
  return {
    serviceId: readId(searchParams.get('service')),
    placeId: readId(searchParams.get('term')),
    after: readCursor(searchParams.get('after')),
  }
}

function readId(text: string | null): number | undefined {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined
}

function readCursor(text: string | null): QualityCursor | undefined {
  const [, score, entryId] = /^(\d{1,3})~(\d{1,15})$/.exec(text ?? '') ?? []
  return score === undefined ? undefined : { score: Number(score), entryId: Number(entryId) }
}
