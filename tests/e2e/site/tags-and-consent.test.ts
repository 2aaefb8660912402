import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import type { TagSettings } from '#src/site/tags/tag-settings.ts'
import { findSubmission } from '#src/submissions/submission-store.ts'
import { openBrowser } from '../../support/browser.ts'
import { storeForm } from '../../support/forms.ts'
import { startFront } from '../../support/front.ts'

const WORDING = 'I agree to the [privacy policy](/privacy)'
const FIELDS = [
  { name: 'email', label: 'Email', required: true },
  { name: 'consent', label: WORDING, type: 'checkbox' as const, required: true },
]
const TAGS = {
  head: `<script>window.told = []
addEventListener('signpost:submitted', (event) => told.push(event.detail.form))</script>
<script src="https://tags.example/tag.js" async></script>`,
  body: '<noscript><img src="https://tags.example/p.gif" alt=""></noscript>',
}

async function openForm(t: TestContext, tags?: TagSettings) {
  const { url, app } = await startFront(t, {
    prepare: async ({ db }) => {
      await storeForm(db, 'quote', { fields: FIELDS, settings: { submit_label: 'Ask for a quote' } })
      const saved = { ...(await findSiteSettings(db)), ...(tags && { tags }) }
      await saveSiteSettings(db, saved, { now: new Date().toISOString() })
    },
  })
  const context = await (await openBrowser()).newContext()
  t.after(() => context.close())
  const page = await context.newPage()
  const blocked: string[] = []
  page.on('console', (message) => /Content.Security/i.test(message.text()) && blocked.push(message.text()))
  await page.route('https://tags.example/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'window.loaded = true' }),
  )
  await page.goto(`${url}/forms/quote`)
  return { url, app, page, blocked }
}

test('tags from the settings run and receive form events, and nothing else is allowed', async (t) => {
  const { url, app, page, blocked } = await openForm(t, TAGS)
  await page.waitForFunction('window.loaded')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Ask for a quote' }).click()
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  assert.deepEqual(await page.evaluate('told'), ['quote'])
  assert.deepEqual(blocked, [])

  await t.test('the wording of the consent is stored with the lead', async () => {
    const lead = await findSubmission(app.db, 1, EVERY_LEAD)
    assert.deepEqual(lead?.consents, { consent: WORDING })
    assert.equal(lead?.answers.consent, true)
  })

  await t.test('a script that isn’t in the settings is blocked', async () => {
    await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'window.injected = true'
      document.body.append(script)
    })
    assert.equal(await page.evaluate('window.injected'), undefined)
    assert.equal(blocked.length, 1)
  })

  await t.test('the admin and other responses keep the strict policy', async () => {
    const policyOf = async (path: string) => (await fetch(url + path)).headers.get('content-security-policy')
    assert.match(
      String(await policyOf('/services')),
      /script-src 'self' 'sha256-[^;]*https:\/\/tags\.example/,
    )
    assert.match(String(await policyOf('/no-such-page')), /https:\/\/tags\.example/)
    for (const path of ['/admin/login', '/health', '/robots.txt'])
      assert.match(String(await policyOf(path)), /script-src 'self';/, path)
  })
})

test('a label links to its page, and the button has the form’s text', async (t) => {
  const { page } = await openForm(t)
  const link = page.getByRole('link', { name: 'privacy policy' })
  assert.equal(await link.getAttribute('href'), '/privacy')
  await page.getByRole('button', { name: 'Ask for a quote' }).click()
  await page.getByRole('alert').getByRole('link', { name: 'I agree to the privacy policy' }).waitFor()
  assert.doesNotMatch(await page.content(), /\]\(\/privacy\)/)
})
