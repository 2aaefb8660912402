import type { APIRoute } from 'astro'
import { exportResponse } from '#src/admin/inbox/export-response.ts'
import { exportJson } from '#src/submissions/inbox/export-submissions.ts'

export const GET: APIRoute = (context) =>
  exportResponse(context, { extension: 'json', type: 'application/json', write: exportJson })
