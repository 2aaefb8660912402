import { Readable } from 'node:stream'
import type { APIContext, APIRoute } from 'astro'
import { recordChange } from '#src/admin/audit/record-change.ts'
import { appOf, leadsOf, notFound, readId } from '#src/admin/kit/page-context.ts'
import { leadActivity } from '#src/messages/admin/leads.ts'
import { openUpload } from '#src/submissions/uploads/open-upload.ts'

/** Headers for an untrusted file: always downloaded, never shown, and sandboxed in case a browser shows it anyway. */
export const GET: APIRoute = async (context) => {
  const { db, files } = appOf(context)
  const upload = await openUpload(db, readId(context.params.file), { files, scope: leadsOf(context) })
  if (upload?.submissionId !== readId(context.params.id)) {
    upload?.stream.destroy()
    return notFound(context)
  }
  if (context.request.method === 'GET')
    await recordDownload(context, upload.submissionId).catch((error: unknown) => {
      upload.stream.destroy()
      throw error
    })
  return new Response(Readable.toWeb(upload.stream) as ReadableStream, {
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(upload.size),
      'content-disposition': `attachment; filename*=UTF-8''${encodeName(upload.name)}`,
      'content-security-policy': "sandbox; default-src 'none'",
    },
  })
}

// Logged by ID, because the log is kept forever and a file name may contain the visitor's name.
function recordDownload(context: APIContext, submissionId: number) {
  const summary = leadActivity.fileDownloaded(readId(context.params.file))
  return recordChange(context, { action: 'submission.file_downloaded', id: submissionId, summary })
}

// RFC 8187 reserves some characters that encodeURIComponent doesn't escape.
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
}
