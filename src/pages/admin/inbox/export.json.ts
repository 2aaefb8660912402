import type { APIRoute } from 'astro'
import { exportResponse } from '../../../components/admin/inbox/export-response.ts'
import { exportJson } from '../../../submissions/export-submissions.ts'

export const GET: APIRoute = (context) =>
  exportResponse(context, { extension: 'json', type: 'application/json', write: exportJson })
