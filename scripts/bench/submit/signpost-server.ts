// The real server and its dispatcher, without pages, because it only receives posts.
import { once } from 'node:events'
import { openApp } from '#src/app.ts'
import { readConfig } from '#src/config.ts'
import { createFront } from '#src/server/http/front.ts'

const app = await openApp(readConfig())
const renderer = () => Promise.reject(new Error('This server shows no pages'))
const server = createFront(app, { clientDir: app.config.dataDir, renderer })
server.listen(app.config.port, app.config.host)
await once(server, 'listening')
app.startWorkers()
console.log('ready')
