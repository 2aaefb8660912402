import type { Db } from '#src/db/schema.ts'
import { findAddressProblem } from '#src/entries/addresses/check-address.ts'
import { findEntryById } from '#src/entries/entry-lookup-store.ts'
import { entrySubject } from '#src/entries/history/record-entry.ts'
import { findDraftProblems } from '#src/entries/history/restore-entry.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { entryListTexts } from '#src/messages/admin/entries.ts'
import { type AdminProblem, describeProblem } from '#src/messages/admin/problems.ts'
import type { WaitingDraft } from '#src/publish/pending/waiting-draft-store.ts'
import { findDraft } from '#src/versions/version-store.ts'
import { nameOfDraft } from '../pending-row.ts'

/** Returns the sentences about drafts that would be refused if they were used now. */
export async function checkDrafts(db: Db, drafts: readonly WaitingDraft[]): Promise<string[]> {
  const refused: string[] = []
  for (const draft of drafts.filter(({ subject }) => subject === 'entry')) {
    const problems = await findProblems(db, draft)
    if (problems.length > 0) refused.push(describeRefusal(draft, problems))
  }
  return refused
}

async function findProblems(db: Db, { typeSlug, subjectId }: WaitingDraft): Promise<readonly AdminProblem[]> {
  const type = await findContentType(db, typeSlug)
  const entry = await findEntryById(db, Number(subjectId))
  if (!type || !entry) return []
  const draft = await findDraft(db, entrySubject(entry.id))
  if (draft) return findDraftProblems(db, { type, entry, draft })
  const problem = await findAddressProblem(db, type, [entry.slug])
  return problem ? [{ path: [], ...problem }] : []
}

/** Says that a draft is still one, and why. */
export function describeRefusal(draft: WaitingDraft, problems: readonly AdminProblem[]): string {
  const reasons = problems.map(describeProblem).join(' ')
  return entryListTexts.refused(nameOfDraft(draft), reasons)
}
