import assert from 'node:assert/strict'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { askForPassword } from '#scripts/ask-for-password.ts'
import { findAccount } from '#src/auth/administrator-store.ts'
import { verifyPassword } from '#src/auth/password-hash.ts'
import { confirmTotp, countRecoveryCodes, replaceRecoveryCodes } from '#src/auth/two-factor-store.ts'
import { connectSqlite } from '#src/db/connect.ts'
import { atEnd } from '../../support/at-end.ts'
import { copyMigrated, temporaryFolder } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { runScript } from '../../support/running-site.ts'
import { addPlaces } from '../../support/small-site.ts'

const PASSWORD = 'correct horse battery'

test('admin:create creates administrators, sets passwords, and explains errors', async (t) => {
  const dataDir = temporaryFolder(t)
  const create = (password: string | undefined, ...given: string[]) =>
    runScript('admin-create.ts', {
      dataDir,
      environment: password === undefined ? {} : { ADMIN_PASSWORD: password },
      arguments: given,
    })
  const { code, output } = await create(PASSWORD, '--email', 'ann')
  assert.deepEqual([code, /Usage: npm run admin:create/.test(output)], [2, true])
  const ann = ['--email', ' Ann@Example.com']
  const unasked = await create(undefined, ...ann)
  assert.deepEqual([unasked.code, /Set ADMIN_PASSWORD, or run this/.test(unasked.output)], [1, true])
  const weak = await create('short', ...ann)
  assert.deepEqual([weak.code, /at least 12 characters/i.test(weak.output)], [1, true])

  assert.match((await create(PASSWORD, ...ann)).output, /^ann@example\.com can sign in now\.$/m)
  const again = await create(`another ${PASSWORD}`, ...ann)
  assert.match(again.output, /^ann@example\.com has a new password and is signed out everywhere\.$/m)
  assert.match(again.output, /^ann@example\.com was not emailed about this: SMTP_URL is not set$/m)
  assert.doesNotMatch(again.output, /battery/)
})

test('admin:create emails the user about a replaced password, not about a new account', async (t) => {
  const mail = await startMailServer(t)
  const dataDir = temporaryFolder(t)
  for (const times of [0, 1]) {
    const { code } = await runScript('admin-create.ts', {
      dataDir,
      environment: { ADMIN_PASSWORD: PASSWORD, SMTP_URL: mail.url, MAIL_FROM: 'site@example.com' },
      arguments: ['--email', 'ann@example.com'],
    })
    assert.deepEqual([code, mail.received.length], [0, times])
  }
  const [told] = mail.received
  assert.deepEqual(told?.recipients, ['ann@example.com'])
  assert.match(told.raw, /^Subject: Your password was changed/m)
  assert.doesNotMatch(told.raw, /battery/)
})

test('admin:create resets a lost second factor and keeps the password', async (t) => {
  const dataDir = temporaryFolder(t)
  const run = (email: string, ...given: string[]) =>
    runScript('admin-create.ts', {
      dataDir,
      environment: { ADMIN_PASSWORD: PASSWORD },
      arguments: ['--email', email, ...given],
    })
  await run('ann@example.com')
  const unknown = await run('bob@example.com', '--reset-two-factor')
  assert.deepEqual([unknown.code, unknown.output.trim()], [1, 'bob@example.com has no account.'])
  const off = await run('ann@example.com', '--reset-two-factor')
  assert.deepEqual([off.code, off.output.trim()], [0, 'Two-step sign-in is already off for ann@example.com.'])

  const db = connectSqlite(join(dataDir, 'signpost.db'))
  atEnd(t, () => db.destroy())
  const { id } = await db.selectFrom('admin_users').select('id').executeTakeFirstOrThrow()
  await confirmTotp(db, id, { now: new Date() })
  await replaceRecoveryCodes(db, id, ['a hash'])
  const { code, output } = await run('Ann@example.com', '--reset-two-factor')
  assert.deepEqual([code, /^Two-step sign-in is off for ann@example\.com/.test(output)], [0, true])
  const account = await findAccount(db, 'ann@example.com')
  assert.equal(account?.administrator.hasTwoFactors, false)
  assert.ok(await verifyPassword(PASSWORD, account?.passwordHash ?? null))
  assert.equal(await countRecoveryCodes(db, id), 0)
})

test('admin:create sets role, places, and forms, keeps them without options, and refuses unknown ones', async (t) => {
  const dataDir = temporaryFolder(t)
  await copyMigrated(join(dataDir, 'signpost.db'))
  const db = connectSqlite(join(dataDir, 'signpost.db'))
  atEnd(t, () => db.destroy())
  const placeIds = await addPlaces(db, 'texas/austin', 'ohio')
  const { id: quoteId } = await storeForm(db, 'quote')
  const create = (...given: string[]) =>
    runScript('admin-create.ts', {
      ...{ dataDir, environment: { ADMIN_PASSWORD: PASSWORD } },
      arguments: ['--email', 'office@example.com', ...given],
    })
  const access = async () => {
    const { administrator } = (await findAccount(db, 'office@example.com')) ?? {}
    return administrator && { role: administrator.role, ...administrator.limits }
  }

  await create('--email', 'owner@example.com')
  for (const [given, problem] of [
    [['--role', 'boss'], /--role is "boss"; expected one of owner, manager, editor, office, viewer/],
    [['--role', 'office', '--place', 'texas/nowhere'], /The place texas\/nowhere doesn’t exist\./],
    [['--role', 'office', '--form', 'nothing'], /The form nothing doesn’t exist\./],
    [['--role', 'owner', '--place', 'ohio'], /Owners see everything/],
  ] as const) {
    const { code, output } = await create(...given)
    assert.match(output, problem)
    assert.ok(code === 1 || code === 2, `${code}: ${output}`)
    assert.equal(await access(), undefined, 'no account is made')
  }

  const limited = ['--role', 'office', '--place', 'texas/austin', '--place', 'ohio', '--form', 'quote']
  assert.equal((await create(...limited)).code, 0)
  const limits = { role: 'office', places: [placeIds.get('austin'), placeIds.get('ohio')], forms: [quoteId] }
  assert.deepEqual(await access(), limits)
  // A new password alone changes neither.
  assert.equal((await create()).code, 0)
  assert.deepEqual(await access(), limits)
  assert.equal((await create('--role', 'viewer', '--place', 'ohio')).code, 0)
  assert.deepEqual(await access(), { role: 'viewer', places: [placeIds.get('ohio')], forms: null })
  // A role without places and forms is one for all of them.
  assert.equal((await create('--role', 'viewer')).code, 0)
  assert.deepEqual(await access(), { role: 'viewer', places: null, forms: null })
})

test('admin:create without places and forms creates an account without limits', async (t) => {
  const dataDir = temporaryFolder(t)
  const options = { dataDir, environment: { ADMIN_PASSWORD: PASSWORD } }
  await runScript('admin-create.ts', { ...options, arguments: ['--email', 'ann@example.com'] })
  await runScript('admin-create.ts', {
    ...options,
    arguments: ['--email', 'bob@example.com', '--role', 'viewer'],
  })
  const db = connectSqlite(join(dataDir, 'signpost.db'))
  atEnd(t, () => db.destroy())
  const bob = (await findAccount(db, 'bob@example.com'))?.administrator
  assert.deepEqual([bob?.role, bob?.limits], ['viewer', { places: null, forms: null }])
})

test('the password prompt is hidden, and canceling it changes nothing', async () => {
  const ask = (typed: string) => {
    const input = Object.assign(new PassThrough(), { isTTY: true })
    let shown = ''
    const output = new PassThrough().on('data', (chunk) => (shown += chunk))
    const answer = askForPassword(input, output)
    input.write(typed)
    return answer.catch((error: Error) => error.message).then((password) => ({ password, shown }))
  }
  assert.deepEqual(await ask(`${PASSWORD}\r`), { password: PASSWORD, shown: 'Password: \n' })
  const CONTROL_C = '\u0003'
  const CONTROL_D = '\u0004'
  for (const key of [CONTROL_C, CONTROL_D])
    assert.match((await ask(key)).password, /No password was entered\. Nothing was changed|Aborted/)
})
