import type { Db } from '../../db/schema.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { listTrashedContents, updateTrashedContent } from '../../versions/trash-store.ts'
import type { EntryRows } from './entry-rows-store.ts'
import type { Mention, TrashedEntry } from './trash-entry.ts'
import type { TrashedTerm } from './trash-term.ts'

type Links = EntryRows['links']

/**
 * Adds links that can't be restored yet to the trashed item at their other end, so that they return with it,
 * whatever the order of restoring. Links to permanently deleted items are lost.
 */
export async function leaveLinks(db: Db, links: Links): Promise<void> {
  if (links.length === 0) return
  for (const { id, content } of await listTrashedContents(db, 'term')) {
    const { terms, links: own, pages, ...rest } = content as TrashedTerm
    const ids = new Set(terms.map((term) => term.id))
    const toTerms = missing(
      own.links,
      links.filter(({ term_id }) => ids.has(term_id)),
    )
    const ofPages = missing(pages.links, linksOf(pages, links))
    if (toTerms.length + ofPages.length === 0) continue
    await updateTrashedContent(db, id, {
      ...{ ...rest, terms, links: { ...own, links: [...own.links, ...toTerms] } },
      pages: { ...pages, links: [...pages.links, ...ofPages] },
    })
  }
  for (const { id, content } of await listTrashedContents(db, 'entry')) {
    const { rows, ...rest } = content as TrashedEntry
    const added = missing(rows.links, linksOf(rows, links))
    if (added.length === 0) continue
    await updateTrashedContent(db, id, { ...rest, rows: { ...rows, links: [...rows.links, ...added] } })
  }
}

function linksOf({ entries }: EntryRows, links: Links): Links {
  const ids = new Set(entries.map(({ id }) => id))
  return links.filter(({ entry_id }) => ids.has(entry_id))
}

function missing(known: Links, links: Links): Links {
  return links.filter((one) => !known.some((other) => isSame(one, other)))
}

function isSame(one: Links[number], other: Links[number]): boolean {
  return one.entry_id === other.entry_id && one.term_id === other.term_id
}

/** Does the same for references from entries in the trash, unless an entry had changed before its deletion. */
export async function leaveMentions(db: Db, mentions: readonly Mention[]): Promise<void> {
  if (mentions.length === 0) return
  const byEntry = Map.groupBy(mentions, ({ entryId }) => entryId)
  for (const { id, content } of await listTrashedContents(db, 'entry')) {
    const { rows, ...rest } = content as TrashedEntry
    const entries = rows.entries.map((row) => withMentions(row, byEntry.get(row.id) ?? []))
    if (entries.some((row, index) => row !== rows.entries[index]))
      await updateTrashedContent(db, id, { ...rest, rows: { ...rows, entries } })
  }
}

function withMentions(row: EntryRows['entries'][number], mentions: readonly Mention[]) {
  let changed = row
  for (const { before, after } of mentions)
    if (canonicalJson(JSON.parse(changed.data_json)) === canonicalJson(after))
      changed = { ...changed, data_json: JSON.stringify(before) }
  return changed
}
