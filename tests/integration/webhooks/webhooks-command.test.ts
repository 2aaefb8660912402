import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { connectSqlite } from '#src/db/connect.ts'
import { findSchemaRevision, migrate } from '#src/db/migrate.ts'
import { listWebhooks } from '#src/webhooks/definition/webhook-store.ts'
import { temporaryFolder } from '../../support/database.ts'
import { ownEnvironment } from '../../support/own-environment.ts'
import { FORM_ID, haveWebhooks, listDeliveries, submit } from './webhook-world.ts'

const SCRIPT = fileURLToPath(new URL('../../../scripts/webhooks.ts', import.meta.url))

async function openSite(t: TestContext) {
  const folder = temporaryFolder(t)
  const db = connectSqlite(join(folder, 'signpost.db'))
  t.after(() => db.destroy())
  await migrate(db)
  return { db, folder, run: (...args: string[]) => runIn(folder, ...args) }
}

function runIn(folder: string, ...args: string[]) {
  const env = ownEnvironment({ DATA_DIR: folder })
  return new Promise<{ code: number | string; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [SCRIPT, ...args], { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
  })
}

test('npm run webhooks operates webhooks', async (t) => {
  const { db, folder, run } = await openSite(t)
  const [{ id } = { id: 0 }] = await haveWebhooks(db, { url: 'https://a.example.com' })
  await submit(db, { answers: { role: 'agency' } })
  const webhook = ['--webhook', String(id)]
  writeFileSync(join(folder, 'changes.yaml'), 'fire_on: { role: owner }\n')
  const [tested, dryRun] = await Promise.all([
    run('test', ...webhook),
    run('dry-run', ...webhook, '--changes', 'changes.yaml'),
  ])
  assert.match(tested.stdout, /^Queued as delivery 2\./)
  assert.equal(
    dryRun.stdout,
    'submission 1  fires -> does not fire (“role” is “agency”; this webhook is for leads where “role” is “owner”)  body is the same\n',
  )
  assert.equal((await run('cancel', ...webhook)).stdout, 'Canceled: 2\n')
})

test('a dry run of a webhook neither migrates an older database nor creates a key', async (t) => {
  const folder = temporaryFolder(t)
  const db = connectSqlite(join(folder, 'signpost.db'))
  t.after(() => db.destroy())
  await migrate(db, { to: '0036' })
  const before = await findSchemaRevision(db)
  writeFileSync(join(folder, 'changes.yaml'), 'fire_on: { role: owner }\n')
  const { code, stderr } = await runIn(folder, 'dry-run', '--webhook', '1', '--changes', 'changes.yaml')
  assert.equal(code, 1)
  assert.match(stderr, /^Migrations are pending, and a dry run does not apply them/)
  assert.equal(await findSchemaRevision(db), before)
  assert.equal(existsSync(join(folder, 'secret.key')), false)
})

test('a command pauses, resumes, and replays a webhook, and a dry run prints differing bodies', async (t) => {
  const { db, folder, run } = await openSite(t)
  const [{ id } = { id: 0 }] = await haveWebhooks(db, {
    ...{ url: 'https://a.example.com', payload_template: '{{role}}' },
  })
  const webhook = ['--webhook', String(id)]
  await submit(db, { answers: { role: 'agency' } })
  writeFileSync(join(folder, 'changes.yaml'), 'payload_template: { role: "{{role}}" }\n')
  const window = [...webhook, '--from', '2026-11-20T09:00Z', '--until', '2026-11-20T11:00Z']
  const [dryRun, paused, wrong] = await Promise.all([
    run('dry-run', ...webhook, '--changes', 'changes.yaml'),
    run('pause', ...webhook),
    run('replay', ...window, '--status', 'pending'),
  ])
  assert.deepEqual([wrong.code, /--status must be one of delivered/.test(wrong.stderr)], [2, true])
  assert.equal(
    dryRun.stdout,
    'submission 1  fires -> fires  body differs\n  before: "agency"\n  after:  {"role":"agency"}\n',
  )
  assert.match(paused.stdout, /is paused\. New deliveries stay pending/)
  assert.ok((await listWebhooks(db, FORM_ID))[0]?.pausedAt)
  const delivered = { status: 'delivered', finished_at: '2026-11-20T10:00:01.000Z' } as const
  await db.updateTable('webhook_deliveries').set(delivered).execute()
  const [resumed, nothing] = await Promise.all([
    run('resume', ...webhook),
    run('replay', ...window, '--render-again'),
  ])
  assert.match(resumed.stdout, /is sending again/)
  assert.equal((await listWebhooks(db, FORM_ID))[0]?.pausedAt, null)
  assert.equal(nothing.stdout, 'There is nothing to resend\n')
  const again = await run('replay', ...window, '--status', 'delivered', '--render-again')
  assert.equal(again.stdout, '1 queued\n')
  const [, repeated] = await listDeliveries(db)
  assert.deepEqual([repeated?.replay_of, repeated?.status, repeated?.body], [1, 'pending', null])
})

test('contract §1 a command without effect says why', async (t) => {
  const { db, folder, run } = await openSite(t)
  const [{ id } = { id: 0 }] = await haveWebhooks(db, { url: 'https://a.example.com' })
  const webhook = ['--webhook', String(id)]
  await submit(db)
  await run('cancel', '--delivery', '1')
  await run('pause', ...webhook)
  writeFileSync(join(folder, 'changes.yaml'), 'payload_template: "{{nosuch}}"\n')
  const window = ['--from', '2026-11-20T10:00', '--until', '2026-11-20T10:01']
  const sentences: [readonly string[], number, RegExp][] = [
    [['test', ...webhook], 1, /^Webhook 1 is paused\. Resume it to send a test$/],
    [['cancel', '--delivery', '1'], 1, /^Delivery 1 is no longer pending$/],
    [['cancel', '--webhook', '99'], 1, /^There is no webhook 99$/],
    [['replay', '--webhook', '99', ...window], 1, /^There is no webhook 99$/],
    [['replay', '--delivery', '1'], 1, /^Delivery 1 was never sent\. Resend it with the current settings$/],
    [['replay', ...webhook, ...window], 1, /^Nothing was resent\. 1 delivery was never sent\./],
    [['replay', ...webhook, '--from', '5'], 2, /^--from must be a time such as/],
    [
      ['replay', ...webhook, '--from', window[3] ?? '', '--until', window[1] ?? ''],
      2,
      /--until must be after --from/,
    ],
    [
      ['dry-run', ...webhook, '--changes', 'changes.yaml'],
      1,
      /^payload_template: unknown reference "nosuch", expected/,
    ],
  ]
  // One after another: on a busy machine nine at once wait too long for the database.
  for (const [args, expected, sentence] of sentences) {
    const { code, stderr } = await run(...args)
    assert.deepEqual([code, sentence.test(stderr.trim())], [expected, true], stderr)
  }
  const { stdout } = await run('replay', ...webhook, ...window, '--render-again')
  assert.equal(stdout, '1 queued. Resume the webhook to send\n')
})

test('contract §1 wrong usage prints the usage', async (t) => {
  const { run } = await openSite(t)
  const calls = await Promise.all([run('explode'), run('replay', '--webhook', '1')])
  assert.deepEqual(
    calls.map(({ code }) => code),
    [2, 2],
  )
  for (const { stderr } of calls) assert.match(stderr, /Usage: npm run webhooks -- ACTION/)
  const { code, stderr } = await run('replay', '--delivery', '999')
  assert.deepEqual([code, stderr.trim()], [1, 'There is no delivery 999'])
})

test('an option that doesn’t apply to an action is refused', async (t) => {
  const { run } = await openSite(t)
  const calls = await Promise.all([
    run('cancel', '--webhook', '1', '--status', 'failed'),
    run('pause', '--webhook', '1', '--delivery', '3'),
    run('cancel', '--delivery', '1', '--from', '2026-11-20T09:00Z'),
  ])
  assert.deepEqual(
    calls.map(({ code, stderr }) => [code, stderr.split('\n')[0]]),
    [
      [2, "--status can't be combined with cancel"],
      [2, "--delivery can't be combined with pause"],
      [2, "--from can't be combined with --delivery"],
    ],
  )
})

test('an unknown webhook and unreadable changes are reported', async (t) => {
  const { db, folder, run } = await openSite(t)
  await haveWebhooks(db, { url: 'https://a.example.com' })
  const window = ['--webhook', '77', '--from', '2026-11-20T09:00Z']
  writeFileSync(join(folder, 'list.yaml'), '- a\n')
  writeFileSync(join(folder, 'cut.yaml'), 'fire_on: [ {\n')
  const dryRun = (file: string) => run('dry-run', '--webhook', '1', '--changes', file)
  const [replayed, cancelled, list, cut, none] = await Promise.all([
    ...[run('replay', ...window), run('cancel', ...window)],
    ...['list.yaml', 'cut.yaml', 'none.yaml'].map(dryRun),
  ])
  for (const told of [replayed, cancelled])
    assert.deepEqual([told?.code, told?.stderr], [1, 'There is no webhook 77\n'])
  assert.equal(list?.stderr, 'list.yaml has no webhook keys; expected keys such as enabled: false\n')
  assert.match(cut?.stderr ?? '', /^cut\.yaml can't be read: Flow map .* at line 2, column 1\n$/)
  assert.match(none?.stderr ?? '', /^none\.yaml can't be read: ENOENT.*\n$/)
})

test('a lead that doesn’t match the conditions is sent by command only with --anyway', async (t) => {
  const { db, run } = await openSite(t)
  await haveWebhooks(db, { name: 'Office', url: 'https://a.example.com', fire_on: { role: 'owner' } })
  await submit(db)
  const replay = ['replay', '--delivery', '1', '--render-again']
  const refused = await run(...replay)
  assert.deepEqual(
    [refused.code, refused.stderr.trim()],
    [
      1,
      'Delivery 1 does not match the conditions of "Office" (https://a.example.com): “role” is empty; this webhook is for leads where “role” is “owner”. Add --anyway to send the lead anyway',
    ],
  )
  assert.equal((await db.selectFrom('webhook_deliveries').select('id').execute()).length, 1)
  const window = ['--webhook', '1', '--from', '2026-11-20']
  assert.equal((await run('replay', ...window, '--anyway')).code, 2)
  const sent = await run(...replay, '--anyway')
  assert.deepEqual([sent.code, sent.stdout.trim()], [0, '1 queued'])
})
