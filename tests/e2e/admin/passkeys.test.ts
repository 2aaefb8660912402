import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateTwoStepRequired } from '#src/auth/two-factor-settings-store.ts'
import { checkAccessibility } from '../../support/accessibility.ts'
import { ADMINISTRATOR, startAdmin } from '../../support/admin.ts'
import { openBrowser, openPage } from '../../support/browser.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { freePort } from '../../support/running-site.ts'

const { email, password } = ADMINISTRATOR

/** The admin at `localhost`, a page of a new browser there, and a device with passkeys beside it. */
async function startWithDevice(t: Parameters<typeof startAdmin>[0]) {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const mail = await startMailServer(t)
  const site = await startAdmin(t, {
    environment: { PORT: String(port), SITE_URL: url, SMTP_URL: mail.url, MAIL_FROM: 'site@example.com' },
  })
  const viewport = { width: 1280, height: 900 }
  const page = await openPage(t, await openBrowser(), { baseURL: url, viewport })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const device = { hasResidentKey: true, hasUserVerification: true, automaticPresenceSimulation: true }
  const options = { ...device, protocol: 'ctap2', transport: 'internal', isUserVerified: true } as const
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
  const setVerified = (isUserVerified: boolean) =>
    devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  return { site, page, mail, setVerified }
}

test('a user adds a passkey, signs in with it, confirms with it, and removes it', async (t) => {
  const { site, page, mail, setVerified } = await startWithDevice(t)
  const plain = await page.context().newPage()
  await plain.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'))
  await plain.goto('/admin/login')
  assert.equal(await plain.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0)
  await plain.close()
  await page.goto('/admin/login')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
  await checkAccessibility(page)
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('/admin')

  await page.goto('/admin/account')
  await page.getByText('No passkeys yet. Add one on each device that you use.').waitFor()
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await checkAccessibility(page)
  await page.getByLabel('Name').fill('My laptop')
  await page.getByRole('button', { name: 'Create passkey' }).click()
  await page.getByText('Passkey My laptop added. Every other browser was signed out.').waitFor()
  await page.getByRole('row', { name: /^My laptop .* Never / }).waitFor()
  await checkAccessibility(page)
  assert.match(String(mail.received.at(-1)?.raw), /^Subject: A passkey was added/m)
  await page.goto('/admin/account/passkeys/new')
  await page.getByRole('button', { name: 'Create passkey' }).click()
  await page.getByText('This device already has a passkey for your account.').waitFor()

  await updateTwoStepRequired(site.app.db, true)
  await page.context().clearCookies()
  await setVerified(false)
  await page.goto('/admin/login')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Two-step sign-in is required, so sign in with your passkey.').waitFor()
  await checkAccessibility(page)
  await setVerified(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL('/admin')

  const old = new Date(Date.now() - 16 * 60_000).toISOString()
  await site.app.db.updateTable('admin_sessions').set({ password_checked_at: old }).execute()
  await page.goto('/admin/account')
  await page.getByRole('link', { name: 'Remove the passkey My laptop' }).click()
  await page.getByRole('button', { name: 'Confirm with a passkey' }).click()
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await page
    .getByText('Add another passkey or an authenticator app before you remove this passkey.')
    .waitFor()
  await updateTwoStepRequired(site.app.db, false)
  await page.getByRole('link', { name: 'Remove the passkey My laptop' }).click()
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await page.getByText('Passkey My laptop removed. Every other browser was signed out.').waitFor()
  assert.match(String(mail.received.at(-1)?.raw), /^Subject: A passkey was removed/m)
  const log = await site.app.db
    .selectFrom('audit_log')
    .select('summary')
    .orderBy('id', 'desc')
    .limit(4)
    .execute()
  assert.deepEqual(
    log.map(({ summary }) => summary),
    ['Removed the passkey My laptop', 'Signed in with a passkey', 'Added the passkey My laptop', 'Signed in'],
  )
})
