import type { APIRoute } from 'astro'
import { exportResponse } from '#src/admin/inbox/export-response.ts'
import { exportCsv } from '#src/submissions/inbox/export-submissions.ts'

export const GET: APIRoute = (context) => {
  const semicolons = context.url.searchParams.get('separator') === 'semicolon'
  return exportResponse(context, {
    extension: 'csv',
    type: 'text/csv; charset=utf-8',
    write: (db, filter) => exportCsv(db, filter, { semicolons }),
  })
}
