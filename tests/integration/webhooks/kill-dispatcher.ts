import { connectDatabase } from '#src/db/connect.ts'
import { createDispatcher } from '#src/webhooks/dispatching/dispatcher.ts'
import { SITE_URL, secretBox } from './webhook-world.ts'

// A process that does nothing but dispatch, to be killed: `node kill-dispatcher.ts DATABASE_URL`. It says when it does.
const logger = { info() {}, warn() {}, error: (details: object) => console.error(details) }
const sending = { retryScheduleMs: [1], timeoutMs: 10_000, allow: ['127.0.0.0/8'] }
// All slots for one receiver: the more is in flight, the more a kill can lose.
const limits = { maxInFlight: 32, maxPerOrigin: 32 }
const db = connectDatabase(process.argv[2] ?? '')
const environment = process.env
createDispatcher({ db, secretBox, environment, siteUrl: SITE_URL, logger, ...sending, ...limits }).start()
console.log('started')
