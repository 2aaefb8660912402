import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openApp } from '#src/app.ts'
import { readConfig } from '#src/config.ts'
import { createFront, type FrontOptions } from '#src/server/http/front.ts'
import { stopServer } from '#src/server/http/stop-server.ts'
import { atEnd } from './at-end.ts'
import { temporaryFolder } from './database.ts'
import { storeForm } from './forms.ts'

export const MIB = 1024 * 1024
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
)
export const PROGRAM = { accept: 'application/json' }

/** Starts the server with a form with two optional files; its pages are their views as JSON. */
export async function startUploads(
  t: TestContext,
  options: Partial<FrontOptions> & { environment?: Record<string, string> } = {},
) {
  const config = readConfig({
    DATA_DIR: temporaryFolder(t),
    RATE_LIMIT: 'off',
    WEBHOOK_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: 'silent',
    ...options.environment,
  })
  const app = await openApp(config)
  await storeForm(app.db, 'job', {
    fields: [
      { name: 'full_name', label: 'Name', required: true },
      { name: 'photo', label: 'Photo', type: 'file', validation: { accept: '.pdf,image/*', max_size: MIB } },
      { name: 'notes', label: 'Notes', type: 'file' },
    ],
  })
  const renderer = async (page: object) => JSON.stringify(page)
  const server = createFront(app, { clientDir: config.dataDir, renderer, ...options })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  app.startWorkers()
  atEnd(t, () => stopServer(server, app, { idleGraceMs: 0 }))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const uploads = join(config.dataDir, 'uploads')
  return {
    app,
    port,
    post: (body: FormData | Blob | string, headers: Record<string, string> = PROGRAM, form = 'job') =>
      fetch(`${url}/api/forms/${form}/submissions`, { method: 'POST', body, headers, redirect: 'manual' }),
    /** Lists everything on disk below the upload folder, as `<folder>/<file>`. */
    async filesOnDisk() {
      // A folder may disappear while it is read.
      const read = () => readdir(uploads, { recursive: true, withFileTypes: true }).catch(() => undefined)
      let entries = await read()
      while (!entries) entries = await read()
      return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    },
    uploads,
  }
}

export function aPost(
  fields: Record<string, string | [bytes: Buffer | string, name: string, type?: string]>,
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value)
    else
      form.append(name, new File([new Uint8Array(Buffer.from(value[0]))], value[1], { type: value[2] ?? '' }))
  }
  return form
}

export function head(port: number, length: number, type = 'multipart/form-data; boundary=x') {
  return [
    'POST /api/forms/job/submissions HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Accept: application/json',
    `Content-Type: ${type}`,
    `Content-Length: ${length}`,
    '\r\n',
  ].join('\r\n')
}

export function filePart(name: string, fileName: string) {
  return Buffer.from(
    `--x\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: image/png\r\n\r\n`,
  )
}

/** Reads everything until the connection closes. */
export async function collect(socket: Socket) {
  let text = ''
  socket.on('error', () => {})
  socket.on('data', (chunk) => (text += chunk))
  await once(socket, 'close')
  return text
}
