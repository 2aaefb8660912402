import type { Db } from '../../db/schema.ts'
import { entriesOf } from '../../entries/meanings/meaning.ts'
import { listOffersOfService } from '../../entries/offers/location-service-store.ts'
import { SERVICES } from '../../entries/types/builtin/slugs.ts'
import { followForm } from '../../site/forms/rename-form.ts'
import { picturesInSettings } from '../../site/settings/setting-pictures.ts'
import type { SiteSettings } from '../../site/settings/site-settings.ts'
import { findSavedSiteSettings, saveSiteSettings } from '../../site/settings/site-settings-store.ts'
import type { ContentChange, SelectedChange } from '../changes/change-store.ts'
import { bringForm, bringPictures } from './bring-references.ts'
import {
  type ContentTable,
  deleteRows,
  insertRows,
  listRows,
  listServicesOfNew,
  putRows,
  reserveIds,
} from './content-row-store.ts'
import { loadSelectedDrafts } from './selected-drafts.ts'
import { takeEntries } from './take-entries.ts'
import { takeTerms } from './take-terms.ts'

/**
 * Copies these changes, and what they require, into the live content: their current versions, or their drafts.
 * Everything else stays live as it is. Returns a sentence for each change that can't be published alone. Call it inside
 * a transaction of `live`.
 */
export async function takeSelected(
  live: Db,
  db: Db,
  selected: readonly SelectedChange[],
  { now }: { now: Date },
): Promise<string[]> {
  await reserveIds(live)
  const idsOf = (...subjects: ContentChange['subject'][]) => [
    ...new Set(selected.filter((one) => subjects.includes(one.subject)).map((one) => one.subjectId)),
  ]
  const numbersOf = (...subjects: ContentChange['subject'][]) => idsOf(...subjects).map(Number)
  await takeRows(live, db, { table: 'content_types', column: 'id', values: numbersOf('type') })
  await takeRows(live, db, { table: 'taxonomies', column: 'id', values: numbersOf('taxonomy') })
  await takeRows(live, db, { table: 'library_pictures', column: 'name', values: idsOf('picture') })
  const drafts = await loadSelectedDrafts(db, selected)
  const clock = { now: now.toISOString() }
  await takeForms(live, db, numbersOf('form'), clock)
  await takeSettings(live, db, idsOf('setting'), { ...clock, draft: drafts.settings })
  const problems = await takeTerms(live, db, numbersOf('term'), clock)
  const entries = numbersOf('entry', 'entry_terms')
  problems.push(...(await takeEntries(live, db, entries, { now, drafts: drafts.entries })))
  await adoptOffers(live, db, numbersOf('entry'))
  return problems
}

interface Rows {
  table: ContentTable
  column: string
  values: readonly unknown[]
}

async function takeRows(live: Db, db: Db, { table, column, values }: Rows): Promise<void> {
  const rows = await listRows(db, table, column, values)
  const found = new Set(rows.map((row) => row[column]))
  const gone = values.filter((value) => !found.has(value))
  await deleteRows(live, table, column, gone)
  await putRows(live, table, rows)
}

async function takeForms(live: Db, db: Db, ids: readonly number[], clock: { now: string }): Promise<void> {
  const before = await listRows(live, 'forms', 'id', ids)
  await takeRows(live, db, { table: 'forms', column: 'id', values: ids })
  await deleteRows(live, 'form_fields', 'form_id', ids)
  await insertRows(live, 'form_fields', await listRows(db, 'form_fields', 'form_id', ids))
  // Live pages keep a renamed form.
  for (const { id, slug } of await listRows(live, 'forms', 'id', ids)) {
    const former = before.find((row) => row.id === id)?.slug
    if (former !== undefined && former !== slug) await followForm(live, `${former}`, `${slug}`, clock)
  }
}

// Location pages generated in the live content take over the saved entries; one that is hidden there stays hidden.
async function adoptOffers(live: Db, db: Db, selected: readonly number[]): Promise<void> {
  const services = new Set([...selected, ...(await listServicesOfNew(live))])
  for (const { id: serviceId } of await entriesOf(live, SERVICES)) {
    if (!services.has(serviceId)) continue
    const saved = await listOffersOfService(db, serviceId)
    const known = new Set(saved.map(({ id }) => id))
    const byPlace = new Map(saved.map((offer) => [offer.locationId, offer]))
    for (const { id, locationId, isGenerated } of await listOffersOfService(live, serviceId)) {
      const offer = byPlace.get(locationId)
      if (!isGenerated || known.has(id) || !offer) continue
      const rows = await listRows(live, 'content_entries', 'id', [id])
      await deleteRows(live, 'content_entries', 'id', [id])
      if (offer.status !== 'published') continue
      await insertRows(
        live,
        'content_entries',
        rows.map((row) => ({ ...row, id: offer.id })),
      )
    }
  }
}

/**
 * Copies the saved settings, or this draft of them, into the live content, with the pictures and the form that they
 * name and the live site doesn't have yet. Call it after selected forms were copied.
 */
export async function takeSettings(
  live: Db,
  db: Db,
  keys: readonly string[],
  { draft, ...clock }: { now: string; draft?: SiteSettings | undefined },
): Promise<void> {
  await putRows(live, 'settings', await listRows(db, 'settings', 'key', keys))
  if (draft) await saveSiteSettings(live, draft, clock)
  const settings = keys.length > 0 ? await findSavedSiteSettings(live) : undefined
  if (!settings) return
  const names = picturesInSettings(settings).map(({ name }) => name)
  await bringPictures(live, db, names)
  const slug = await bringForm(live, db, settings.default_form)
  if (slug !== undefined) await saveSiteSettings(live, { ...settings, default_form: slug }, clock)
}
