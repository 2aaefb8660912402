import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { openApp } from '#src/app.ts'
import { insertAdministrator } from '#src/auth/administrator-store.ts'
import { startSession } from '#src/auth/sessions.ts'
import { readConfig } from '#src/config.ts'
import { ensureBundle, loadAdmin, loadRenderer } from '#src/publish/render/bundle.ts'
import { createFront } from '#src/server/http/front.ts'
import { freePort, PROJECT_DIR } from './running-site.ts'

/** How pictures are stored: by the functions of the library, or over HTTP. */
export interface PictureLibrary {
  /** Returns the ID of the new picture. */
  add(path: string): Promise<number>
  replace(id: number, path: string): Promise<void>
  restore(id: number, versionId: number): Promise<void>
}

/** Starts the server over a data folder and returns its library as a browser uses it. */
export async function openAdminLibrary(dataDir: string): Promise<PictureLibrary> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const config = readConfig({
    ...{ PORT: String(port), DATA_DIR: dataDir, SITE_URL: url },
    ...{ RATE_LIMIT: 'off', LOG_LEVEL: 'silent' },
  })
  const app = await openApp(config)
  const bundle = await ensureBundle(PROJECT_DIR)
  const [renderer, answerAdmin] = [await loadRenderer(bundle), await loadAdmin(bundle)]
  const server = createFront(app, { clientDir: bundle.clientDir, renderer, answerAdmin })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const cookie = await signIn(app)

  const post = async (path: string, body: FormData, accept: string) => {
    const headers = { cookie, origin: url, accept }
    return fetch(`${url}/admin/pictures/${path}`, { method: 'POST', redirect: 'manual', headers, body })
  }
  return {
    async add(path) {
      const body = withFile('files', path)
      body.append('alt', 'Our van')
      const answer = await post('new', body, 'application/json')
      assert.equal(answer.status, 201)
      const { added } = (await answer.json()) as { added: { id: number } }
      return added.id
    },
    async replace(id, path) {
      assert.equal((await post(`${id}/replacement`, withFile('file', path), 'text/html')).status, 303)
    },
    async restore(id, versionId) {
      assert.equal((await post(`${id}/versions/${versionId}`, new FormData(), 'text/html')).status, 303)
    },
  }
}

async function signIn({ db }: Awaited<ReturnType<typeof openApp>>): Promise<string> {
  const account = { email: `${randomUUID()}@example.com`, name: 'Ann', passwordHash: '', now: new Date() }
  const id = (await insertAdministrator(db, account)) ?? 0
  const visitor = { address: '127.0.0.1', userAgent: 'test' }
  return `signpost_session=${await startSession(db, id, visitor, { now: new Date() })}`
}

function withFile(field: string, path: string): FormData {
  const body = new FormData()
  body.append(field, new Blob([new Uint8Array(readFileSync(path))]), 'van.png')
  return body
}
