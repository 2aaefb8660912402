import { join } from 'node:path'
import { handler } from '@astrojs/node/server.js'
import { answerAdmin, renderPage } from '../bundle-entry.ts'
import { startStaticServer } from './static-server.ts'

await startStaticServer(join(import.meta.dirname, '..'), {
  astroHandler: async (request, response, next, locals) =>
    handler(request, response, next, locals as App.Locals),
  renderer: renderPage,
  answerAdmin: (request, locals) => answerAdmin(request, locals as App.Locals),
})
