import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connectSqlite } from '#src/db/connect.ts'
import { atEnd } from '../support/at-end.ts'
import { copyMigrated, temporaryFolder } from '../support/database.ts'
import { storeForm } from '../support/forms.ts'
import { startMailServer } from '../support/mail-server.ts'
import { PROJECT_DIR, waitFor } from '../support/running-site.ts'
import { printFigure, soakLength } from '../support/soak.ts'

const KILLS = soakLength(5, 50)
const MOST_DELAY_MS = 60

test('no lead gets two replies and no spam gets one, however often the process is killed', async (t) => {
  const path = join(temporaryFolder(t), 'signpost.db')
  await copyMigrated(path)
  const db = connectSqlite(path)
  atEnd(t, () => db.destroy())
  await storeForm(db, 'quote', {
    fields: [{ name: 'email', label: 'Email', type: 'email' }],
    settings: { reply: { subject: 'Thank you', text: 'We call you back.' } },
  })
  const server = await startMailServer(t)
  const run = async (hour: number, until: (output: () => string) => Promise<unknown>) => {
    const options = ['--database', path, '--smtp', server.url, '--hour', String(hour)]
    const child = spawn(
      process.execPath,
      [join(PROJECT_DIR, 'tests/fixtures/reply-process.ts'), ...options],
      {
        cwd: PROJECT_DIR,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    atEnd(t, () => child.kill('SIGKILL'))
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    const exited = once(child, 'exit')
    await until(() => output)
    child.kill('SIGKILL')
    await exited
  }
  for (let kills = 0; kills < KILLS; kills += 1) {
    const before = server.attempts()
    // At a random moment while its mails are being sent.
    await run(kills, async () => {
      await waitFor(() => server.attempts() > before, 60_000)
      await wait(Math.random() * MOST_DELAY_MS)
    })
  }
  const isOpen = async () =>
    (await db.selectFrom('reply_mails').select('id').where('status', 'in', ['pending', 'sending']).execute())
      .length > 0
  await run(KILLS, async (output) =>
    waitFor(async () => output().includes('posted') && !(await isOpen()), 60_000),
  )

  const received = server.received.flatMap(({ recipients }) => recipients)
  const twice = received.filter((address, index) => received.indexOf(address) !== index)
  const rows = await db.selectFrom('reply_mails').select(['status', 'outcome_code']).execute()
  const ended = rows.map(({ status, outcome_code: code }) => code ?? status)
  assert.deepEqual(
    { twice, spam: received.filter((address) => address.startsWith('spam')) },
    { twice: [], spam: [] },
  )
  assert.deepEqual(
    ended.filter((state) => state !== 'sent' && state !== 'interrupted'),
    [],
  )
  assert.ok(received.length >= ended.filter((state) => state === 'sent').length)
  const lost = ended.filter((state) => state === 'interrupted').length
  printFigure(
    t,
    `${received.length} replies to ${rows.length} leads, 0 twice, 0 to spam, ${lost} broken off in ${KILLS} kills`,
  )
})
