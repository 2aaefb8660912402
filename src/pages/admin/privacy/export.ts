import { Readable } from 'node:stream'
import type { APIRoute } from 'astro'
import { recordChange } from '#src/admin/audit/record-change.ts'
import { seeOther } from '#src/admin/kit/flash.ts'
import { appOf } from '#src/admin/kit/page-context.ts'
import { receivePerson } from '#src/admin/privacy/person-form.ts'
import { localDayOf } from '#src/lib/locale/calendar-day.ts'
import { privacyActivity } from '#src/messages/admin/privacy/privacy.ts'
import { exportPerson } from '#src/privacy/export-person.ts'
import { findPerson } from '#src/privacy/find-person.ts'

/** Address after the password check, which loses the posted values. */
export const GET: APIRoute = () => seeOther('/admin/privacy')

/** Exports a person's data as a ZIP. */
export const POST: APIRoute = async (context) => {
  const { db, files, siteLocale } = appOf(context)
  const { request, locals } = context
  const { person } = await receivePerson({ request, locals, response: { status: 200 } as Response })
  if (!person) return seeOther('/admin/privacy')
  const now = new Date()
  const found = await findPerson(db, person)
  const summary = privacyActivity.exported({ leads: found.leads.length, files: found.parts.uploads })
  await recordChange(context, { action: 'privacy.exported', summary })
  const zip = await exportPerson(db, person, { found, files, now })
  return new Response(Readable.toWeb(zip) as ReadableStream, {
    headers: {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="person-${localDayOf(now, siteLocale.current().timeZone)}.zip"`,
    },
  })
}
