import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { formatSchedule } from '#src/admin/kit/format-time.ts'
import { findEntryDraft } from '#src/entries/history/entry-draft.ts'
import { localInputOf } from '#src/lib/locale/local-time.ts'
import { checkAccessibility } from '../../support/accessibility.ts'
import { type AdminSite, openAdminPage, startAdmin } from '../../support/admin.ts'
import { waitFor } from '../../support/running-site.ts'
import { addEntry } from '../../support/small-site.ts'

const VISITS = [
  { width: 390, javaScriptEnabled: true },
  { width: 1280, javaScriptEnabled: false },
]
const PATIENCE_MS = 120_000
const DAY_MS = 86_400_000
const SOON_MS = 500

test('a person schedules a change of a live page, and it goes live at its time', async (t) => {
  const ids: number[] = []
  const site = await startAdmin(t, {
    async prepare({ db }) {
      for (const { width } of VISITS)
        ids.push(
          await addEntry(db, 'pages', { slug: `hours-${width}`, title: 'Hours', body: 'Open at nine.' }),
        )
    },
  })
  for (const [index, visit] of VISITS.entries())
    await t.test(`at ${visit.width} pixels, script: ${visit.javaScriptEnabled}`, async (part) => {
      const id = ids[index] ?? 0
      const page = await openAdminPage(part, site, visit)
      page.setDefaultTimeout(PATIENCE_MS)
      await schedule(page, site, { id, script: visit.javaScriptEnabled })
      if (visit.javaScriptEnabled) await checkAccessibility(page)
      const path = `/hours-${visit.width}`
      assert.match(await shown(site, path), /Open at nine/)

      await page.getByRole('link', { name: 'Versions' }).click()
      await page.getByRole('cell', { name: /^scheduled/ }).waitFor()
      await page.getByRole('cell', { name: 'live', exact: true }).waitFor()
      await becomesDue(site, id)
      await waitFor(async () => /Open at seven/.test(await shown(site, path)), PATIENCE_MS)
      await waitFor(async () => !site.app.publishing.isRunning(), PATIENCE_MS)
      await page.goto(`/admin/entries/pages/${id}`)
      await page.getByText('live', { exact: true }).waitFor()
      assert.equal(await page.getByText('change scheduled for').count(), 0)
      await page.getByRole('link', { name: 'Versions' }).click()
      const newest = page.getByRole('row').nth(1)
      await newest.getByRole('cell', { name: 'live', exact: true }).waitFor()
    })
})

test('Save shows a date that was typed in part, though its menu closes', async (t) => {
  const ids: number[] = []
  const site = await startAdmin(t, {
    prepare: async ({ db }) => void ids.push(await addEntry(db, 'pages', { slug: 'hours', title: 'Hours' })),
  })
  const page = await openAdminPage(t, site, { width: 1280, javaScriptEnabled: true })
  await page.goto(`/admin/entries/pages/${ids[0]}`)
  await page.getByTitle('Schedule', { exact: true }).click()
  const at = page.getByLabel('Publish at')
  await at.focus()
  await page.keyboard.type('12')
  await page.getByRole('button', { name: 'Save for next publish', exact: true }).click()
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'publish_at')
  assert.equal(await at.isVisible(), true)
})

async function schedule(page: Page, { app }: AdminSite, { id, script }: { id: number; script: boolean }) {
  await page.goto(`/admin/entries/pages/${id}`)
  await page.locator('[name=body]').fill('Open at seven.')
  await page.getByTitle('Schedule', { exact: true }).click()
  const { timeZone } = app.siteLocale.current()
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString()
  await page.getByLabel('Publish at').fill(localInputOf(tomorrow, timeZone))
  const label = `Schedule for ${formatSchedule(tomorrow, timeZone)}`
  if (script) await page.getByRole('button', { name: label, exact: true }).last().click()
  else await page.getByRole('button', { name: 'Set schedule' }).click()
  await page.getByText('change scheduled for').waitFor()
  await page.getByRole('button', { name: label, exact: true }).first().waitFor()
  await page.getByText('Visitors will see the live version until then.').first().waitFor()
}

// Inputs have minutes, so the scheduled day is brought forward to the next second.
async function becomesDue({ app }: AdminSite, id: number) {
  const draft = await findEntryDraft(app.db, id)
  assert.ok(draft)
  const soon = new Date(Date.now() + SOON_MS).toISOString()
  const content = Buffer.from(JSON.stringify({ ...draft.snapshot, publishAt: soon }))
  await app.db.updateTable('content_versions').set({ content }).where('id', '=', draft.version.id).execute()
}

async function shown({ url }: AdminSite, path: string): Promise<string> {
  return (await fetch(url + path)).text()
}
