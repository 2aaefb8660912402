import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listFormSummaries } from '#src/forms/form-list-store.ts'
import { findForm, setFormStatus } from '#src/forms/form-store.ts'
import { findFormUsage } from '#src/site/forms/form-usage.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { sqliteEngine } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

const CHANGED = '2026-11-20T10:00:00.000Z'

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  test(`issue 5, 3: on ${engine.name} a form’s usage lists the published pages that show it, with counts`, async () => {
    const db = await engine.openMigrated()
    const usageOf = async (slug: string, releasedAt?: string) => {
      const form = await findForm(db, slug)
      assert.ok(form)
      return findFormUsage(db, form, { releasedAt })
    }
    const quote = await storeForm(db, 'quote')
    await storeForm(db, 'call-back')
    const places = await addPlaces(db, 'usa/texas/austin', 'usa/texas/dallas')
    const place = (slug: string) => ({ slug, id: places.get(slug) as number })
    const repair = await addEntry(db, 'services', { slug: 'repair', title: 'Repair' })
    await offer(db, { slug: 'repair', id: repair }, place('austin'))
    await offer(db, { slug: 'repair', id: repair }, place('dallas'))
    const own = await addEntry(db, 'services', { slug: 'own', title: 'Own', data: { form: 'call-back' } })
    await offer(db, { slug: 'own', id: own }, place('austin'))
    await addEntry(db, 'services', { slug: 'draft', title: 'Draft', status: 'draft' })
    await addEntry(db, 'pages', {
      slug: 'contact',
      title: 'Contact',
      data: { form: 'quote', summary: '50%' },
    })
    await addEntry(db, 'pages', { slug: 'about', title: 'About' })

    assert.deepEqual(await usageOf('quote'), {
      pages: 2,
      entries: [{ title: 'Contact', path: '/contact', places: 0 }],
      isDefault: false,
      isOutdated: false,
    })
    await saveSiteSettings(db, siteSettings.parse({ name: 'Ours', default_form: 'quote' }), { now: CHANGED })
    const asDefault = await usageOf('quote')
    assert.deepEqual(
      [
        asDefault.pages,
        asDefault.isDefault,
        asDefault.entries.map(({ path, places: count }) => [path, count]),
      ],
      [
        6,
        true,
        [
          ['/contact', 0],
          ['/services/repair', 2],
        ],
      ],
    )
    assert.deepEqual((await usageOf('call-back')).entries, [
      { title: 'Own', path: '/services/own', places: 1 },
    ])

    // Changed at `CHANGED`: pages of a release from before show it as it was, until a publish came to its end.
    assert.equal((await usageOf('quote', '2026-11-20T09:00:00.000Z')).isOutdated, true)
    assert.equal((await usageOf('quote', '2026-11-20T11:00:00.000Z')).isOutdated, false)
    const publish = {
      started_by: 'admin' as const,
      started_at: '2026-11-20T12:00:00.000Z',
      status: 'unchanged' as const,
      machine: 'test',
    }
    await db.insertInto('publishes').values(publish).execute()
    assert.equal((await usageOf('quote', '2026-11-20T09:00:00.000Z')).isOutdated, false)
    await setFormStatus(db, quote.id, 'draft', { now: '2026-11-20T13:00:00.000Z' })
    const asDraft = await usageOf('quote')
    assert.deepEqual([asDraft.pages, asDraft.entries.length, asDraft.isOutdated], [0, 2, true])

    await db.insertInto('form_submissions').values({ form_id: quote.id, submitted_at: CHANGED }).execute()
    assert.deepEqual(
      (await listFormSummaries(db)).map((form) => [
        form.slug,
        form.fields,
        form.submissions,
        form.lastSubmittedAt,
      ]),
      [
        ['quote', 1, 1, CHANGED],
        ['call-back', 1, 0, null],
        ['waitlist', 6, 0, null],
      ],
    )
  })
}
