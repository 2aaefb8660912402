import type { Db } from '../../db/schema.ts'
import { localeOf } from '../../lib/locale/locale.ts'
import { toDialable } from '../../lib/locale/phone-number.ts'
import { listPictureAddresses } from '../../lib/markdown/markdown.ts'
import { findPictureProblem } from '../../lib/picture-address.ts'
import type { Notice } from '../../messages/admin/notices.ts'
import { listPictures } from '../../pictures/picture-store.ts'
import { phonesOf } from '../../site/settings/phones.ts'
import type { SiteSettings } from '../../site/settings/site-settings.ts'
import { findSiteSettings } from '../../site/settings/site-settings-store.ts'
import { drawnText } from '../pictures/drawing-fonts.ts'
import { findOldNumbers } from './old-uses.ts'
import { type DrawnName, listDrawnNames, listPicturedTexts, listPlacePhones } from './site-text-store.ts'

const NAMED = 3

/** A problem that stops nothing but that an editor should fix, with its place in the admin. */
export type SiteNotice = Notice & { adminPath: string }

/** Finds problems that visitors or search engines would encounter on the published site. */
export async function findNotices(db: Db): Promise<SiteNotice[]> {
  const settings = await findSiteSettings(db)
  return [
    ...findMissingAddress(settings),
    ...findUndialable(await listAllPhones(db, settings), localeOf(settings).country),
    ...(await findOldNumbers(db, settings)),
    ...(await findPictureNotices(db)),
    ...findUndrawn([...namesInSettings(settings), ...(await listDrawnNames(db))]),
  ]
}

function findMissingAddress({ address }: SiteSettings): SiteNotice[] {
  if (address) return []
  return [{ code: 'address_missing', adminPath: '/admin/settings' }]
}

// Numbers weren't always validated when saved.
function findUndialable(phones: readonly Phone[], country: string): SiteNotice[] {
  const wrong = phones.filter(({ phone }) => toDialable(phone, country) === undefined)
  return wrong.map(({ phone, adminPath }) => ({
    code: 'undialable',
    params: { phone, country },
    adminPath,
  }))
}

interface Phone {
  phone: string
  adminPath: string
}

async function listAllPhones(db: Db, settings: SiteSettings): Promise<Phone[]> {
  const own = phonesOf(settings).map(({ number }) => ({ phone: number, adminPath: '/admin/settings' }))
  return [...own, ...(await listPlacePhones(db))]
}

async function findPictureNotices(db: Db): Promise<SiteNotice[]> {
  const texts = await listPicturedTexts(db)
  const names = new Set(texts.length > 0 ? (await listPictures(db)).keys() : [])
  return texts.flatMap(({ title, markdown, adminPath }) =>
    [...new Set(listPictureAddresses(markdown))].flatMap((address): SiteNotice[] => {
      const problem = findPictureProblem(address, names)
      if (!problem) return []
      return problem.kind === 'foreign'
        ? [{ code: 'picture_foreign', params: { title, address }, adminPath }]
        : [{ code: 'picture_missing', params: { title, name: problem.name }, adminPath }]
    }),
  )
}

function namesInSettings({ name, tagline }: SiteSettings): DrawnName[] {
  return [name, tagline ?? ''].map((text) => ({ name: text, adminPath: '/admin/settings' }))
}

// Leads to the editor of the first name.
function findUndrawn(drawn: readonly DrawnName[]): SiteNotice[] {
  const undrawn = drawn.filter(({ name }) => !drawnText(name).isWhole)
  if (!undrawn[0]) return []
  const names = [...new Set(undrawn.map(({ name }) => name))]
  const params = { names: names.slice(0, NAMED), more: Math.max(0, names.length - NAMED) }
  return [{ code: 'undrawable', params, adminPath: undrawn[0].adminPath }]
}
