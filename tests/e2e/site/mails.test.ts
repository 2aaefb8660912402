import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invitationMail } from '#src/messages/mail/accounts.ts'
import { composeMail } from '#src/notifications/compose-mail.ts'
import { composeReply } from '#src/notifications/replies/compose-reply.ts'
import { accountMailHtml } from '#src/server/accounts/account-mail.ts'
import { checkAccessibility } from '../../support/accessibility.ts'
import { openBrowser, openPage } from '../../support/browser.ts'
import { aMailLook } from '../../support/mail-look.ts'

const SUBJECT = { answers: { full_name: 'Aoife Ní Bhriain' }, meta: {}, choices: new Map() }
const HOSTILE = '<img src=x onerror=alert(1)><b>bold</b>'
const LOOKS = [
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 390 },
  { colorScheme: 'light', width: 800 },
  { colorScheme: 'dark', width: 800 },
] as const

// The surface of the theme, and that of emails from Signpost itself.
const GROUNDS = {
  site: { light: 'rgb(240, 243, 252)', dark: 'rgb(25, 31, 60)' },
  plain: { light: 'rgb(243, 244, 246)', dark: 'rgb(17, 20, 24)' },
}

const MAILS = {
  lead: composeMail({
    ...{ formName: 'Ask for a quote', serviceName: 'Boiler service', places: ['Ennis', 'County Clare'] },
    answers: [
      { label: 'Name', text: 'Aoife Ní Bhriain', type: 'text' },
      { label: 'Message', text: `The boiler is cold.\n${HOSTILE}`, type: 'textarea' },
      { label: 'Email', text: 'aoife@example.com', type: 'email' },
      { label: 'Phone', text: '087 123 4567', type: 'phone' },
    ],
    replyTo: 'aoife@example.com',
    cameFrom: 'Google Ads, campaign spring-boiler, landed on /services/boiler-service',
    pageUrl: `https://www.example.com/${'a-very-long-address-'.repeat(20)}`,
    leadUrl: 'https://www.example.com/admin/inbox/7',
    submittedAt: '2026-07-20T14:02:01.308Z',
    locale: { country: 'IE', language: 'en-IE', timeZone: 'Europe/Dublin' },
    ...{ templates: {}, subject: SUBJECT, look: aMailLook() },
  }).html,
  reply: composeReply({
    ...{ subject: 'Thank you', text: 'Hello {{full_name}}\n\nWe call you back.', replyTo: undefined },
    ...{ look: aMailLook(), language: 'en-IE', filledFrom: SUBJECT },
  }).html,
  invitation: accountMailHtml(
    invitationMail({
      ...{ by: 'ann@example.com', business: 'Lone Star Home Services', hours: 72 },
      site: 'Lone Star Home Services (www.example.com)',
      link: 'https://www.example.com/admin/invitation/abc',
    }),
  ),
}

test('emails fit phones and desktops, light and dark, and show visitors’ markup as text', async (t) => {
  const page = await openPage(t, await openBrowser(), {})
  for (const [name, html] of Object.entries(MAILS)) {
    await page.setContent(html)
    for (const { colorScheme, width } of LOOKS) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 700 })
      const { overflow, ground } = await page.evaluate(() => ({
        overflow: document.documentElement.scrollWidth - innerWidth,
        ground: getComputedStyle(document.body).backgroundColor,
      }))
      assert.ok(overflow <= 0, `${name} is ${overflow} px too wide at ${width}`)
      assert.equal(ground, GROUNDS[name === 'invitation' ? 'plain' : 'site'][colorScheme])
      await checkAccessibility(page, ['color-contrast', 'link-in-text-block'])
    }
  }
  await page.setContent(MAILS.lead)
  assert.equal(await page.locator('img, b').count(), 0)
  await page.getByText(HOSTILE).waitFor()
})
