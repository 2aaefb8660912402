import type { APIContext } from 'astro'
import { setEntryStatus } from '#src/entries/editing/set-entry-status.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { entryListTexts, typeName } from '#src/messages/admin/entries.ts'
import { versionChanges } from '#src/messages/admin/history/versions.ts'
import type { AdminProblem } from '#src/messages/admin/problems.ts'
import { settingsPage } from '#src/messages/admin/settings/settings.ts'
import { listDrafts, type WaitingDraft } from '#src/publish/pending/waiting-draft-store.ts'
import { findDraft } from '#src/versions/version-store.ts'
import { mayPost } from '../../access/may-open.ts'
import { recordChange } from '../../audit/record-change.ts'
import { savingBy } from '../../audit/saving-by.ts'
import { appOf, getAdministrator } from '../../kit/page-context.ts'
import type { VersionedFinders } from '../describe-edits.ts'
import { changeKey } from '../pending-row.ts'
import { checkDrafts, describeRefusal } from './check-drafts.ts'

type Context = Pick<APIContext, 'locals' | 'url' | 'cookies'>

/** Returns the URL of a draft's editor. */
export function hrefOfDraft({ subject, areas, typeSlug, subjectId }: WaitingDraft): string {
  if (subject === 'setting') return areas?.join() === 'home' ? '/admin/home' : '/admin/settings'
  return `/admin/entries/${typeSlug}/${subjectId}`
}

/** Returns whether the user may add a draft to the next publish. */
export function mayUseDraft(context: Pick<APIContext, 'locals'>, draft: WaitingDraft): boolean {
  return mayPost(getAdministrator(context), `${hrefOfDraft(draft)}/draft`)
}

/**
 * Adds the drafts with these keys, such as `entry:12`, to the next publish. Returns the sentences about those that are
 * invalid by now; then none was added.
 */
export async function useDrafts(
  context: Context,
  wanted: readonly string[],
  finders: VersionedFinders,
): Promise<string[]> {
  const drafts = await listChosenDrafts(context, wanted)
  const refused = await checkDrafts(appOf(context).db, drafts)
  if (refused.length > 0) return refused
  // The settings come first, and only using them shows whether they are valid.
  for (const draft of drafts) {
    const problems = await useDraft(context, draft, finders)
    if (problems.length > 0) return [describeRefusal(draft, problems)]
  }
  return []
}

/** Lists the drafts with these keys, such as `entry:12`, that the user may add to a publish, scheduled ones included. */
export async function listChosenDrafts(
  context: Pick<APIContext, 'locals'>,
  wanted: readonly string[],
): Promise<WaitingDraft[]> {
  if (wanted.length === 0) return []
  const { waiting, dated } = await listDrafts(appOf(context).db, { now: new Date() })
  return [...waiting.drafts, ...dated].filter(
    (draft) => wanted.includes(changeKey(draft)) && mayUseDraft(context, draft),
  )
}

async function useDraft(
  context: Context,
  draft: WaitingDraft,
  finders: VersionedFinders,
): Promise<AdminProblem[]> {
  const { db } = appOf(context)
  const { subject, subjectId, typeSlug } = draft
  const { locals, url, cookies } = context
  const params = { id: subjectId, type: typeSlug }
  const versioned = await finders[subject]?.({ params, locals, url, cookies })
  const found = versioned && (await findDraft(db, versioned.subject))
  if (!found) return draft.isOfPublished ? [] : publishEntry(context, draft)
  const outcome = await versioned.restore(found.version, undefined)
  if (outcome.kind !== 'saved') return outcome.kind === 'invalid' ? outcome.problems : []
  const type = typeName((await findContentType(db, typeSlug)) ?? { slug: typeSlug, name: typeSlug })
  await recordChange(
    context,
    subject === 'setting'
      ? { action: 'settings.draft_used', id: 'site', summary: settingsPage.draftUsed }
      : { action: 'entry.draft_used', id: subjectId, summary: versionChanges.draftUsed(draft.name, type) },
  )
  return []
}

// An entry that was never published has no draft beside it.
async function publishEntry(context: Context, draft: WaitingDraft): Promise<AdminProblem[]> {
  const { db } = appOf(context)
  const type = await findContentType(db, draft.typeSlug)
  if (!type) return []
  const wanted = { type, ids: [Number(draft.subjectId)], status: 'published' as const }
  const { changed, refused } = await setEntryStatus(db, wanted, savingBy(context))
  const summary = entryListTexts.publishedNamed(typeName(type), changed.length, draft.name)
  if (changed.length > 0) await recordChange(context, { action: 'entries.published', id: type.id, summary })
  return refused.map(({ problem }) => ({ path: [], ...problem }))
}
