import { Readable } from 'node:stream'
import type { APIContext } from 'astro'
import type { Db } from '../../db/schema.ts'
import { localDayOf } from '../../lib/locale/calendar-day.ts'
import { inboxTexts, leadOutcomes } from '../../messages/admin/inbox.ts'
import type { InboxFilter } from '../../submissions/inbox/inbox-filter.ts'
import { listInboxForms } from '../../submissions/inbox/unread-store.ts'
import { recordChange } from '../audit/record-change.ts'
import { getAdministrator, leadsOf, refuse } from '../kit/page-context.ts'
import { inboxAddress, readInboxQuery } from './inbox-query.ts'

interface ExportKind {
  extension: 'csv' | 'json'
  type: string
  write: (db: Db, filter: InboxFilter) => AsyncGenerator<string>
}

/** Streams the leads that the inbox shows at this URL as a file. */
export async function exportResponse(
  context: APIContext,
  { extension, type, write }: ExportKind,
): Promise<Response> {
  getAdministrator(context)
  const { db, searchIndex, secretBox, siteLocale } = context.locals.app
  const { timeZone } = siteLocale.current()
  const scope = leadsOf(context)
  const forms = await listInboxForms(db, { scope, most: 0 })
  const lists = { forms, stages: siteLocale.stages() }
  const query = readInboxQuery(context.url.searchParams, { ...lists, scope, timeZone, secretBox })
  // If the search words are lost, the file would contain more than requested.
  if (query.hasLostWords)
    return refuse(context, { to: inboxAddress('/admin/inbox', query), text: inboxTexts.lostSearch })
  const { filter } = query
  if (filter.search || filter.location) await searchIndex.catchUp()
  const summary = leadOutcomes.exported(extension.toUpperCase())
  await recordChange(context, { action: 'submission.exported', summary })
  const name = `submissions-${localDayOf(new Date(), timeZone)}.${extension}`
  return new Response(Readable.toWeb(Readable.from(write(db, filter))) as ReadableStream, {
    headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
  })
}
