import type { Db } from '../../db/schema.ts'
import { localeOf } from '../../lib/locale/locale.ts'
import { describeDialable, toDialable } from '../../lib/locale/phone-number.ts'
import { listPictureAddresses } from '../../lib/markdown/markdown.ts'
import { findPictureProblem, type PictureProblem } from '../../lib/picture-address.ts'
import { listPictures } from '../../site/pictures/picture-store.ts'
import { phonesOf } from '../../site/settings/phones.ts'
import type { SiteSettings } from '../../site/settings/site-settings.ts'
import { findSiteSettings } from '../../site/settings/site-settings-store.ts'
import { drawnText } from '../pictures/drawing-fonts.ts'
import { listDrawnNames, listPicturedTexts, listPlacePhones } from './site-text-store.ts'

const NAMED = 3

/** Something of the site that stops nothing and that somebody should correct. */
export interface SiteNotice {
  message: string
  /** Where the admin corrects it. */
  adminPath: string
}

/** What visitors or search engines miss on the site as it would be published now. */
export async function findNotices(db: Db): Promise<SiteNotice[]> {
  const settings = await findSiteSettings(db)
  return [
    ...findMissingAddress(settings),
    ...findUndialable(await listAllPhones(db, settings), localeOf(settings).country),
    ...(await findPictureNotices(db)),
    ...findUndrawn([settings.name, settings.tagline ?? '', ...(await listDrawnNames(db))]),
  ]
}

function findMissingAddress({ address }: SiteSettings): SiteNotice[] {
  if (address) return []
  const message =
    'The business has no address, so search engines do not see a local business. Add the address in the settings.'
  return [{ message, adminPath: '/admin/settings' }]
}

// Numbers were not always checked when they were saved.
function findUndialable(phones: readonly Phone[], country: string): SiteNotice[] {
  const wrong = phones.filter(({ phone }) => toDialable(phone, country) === undefined)
  return wrong.map(({ phone, adminPath }) => ({
    message: `Nobody can dial "${phone}", so it has no link. Enter ${describeDialable(country)}.`,
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
    [...new Set(listPictureAddresses(markdown))].flatMap((address) => {
      const problem = findPictureProblem(address, names)
      return problem ? [{ message: describe(title, address, problem), adminPath }] : []
    }),
  )
}

function describe(title: string, address: string, problem: PictureProblem): string {
  return problem.kind === 'foreign'
    ? `"${title}" leaves out the picture ${address}, because it is on another site. Add it to pictures/.`
    : `"${title}" leaves out the picture ${problem.name}, because pictures/ has no such file.`
}

function findUndrawn(names: readonly string[]): SiteNotice[] {
  const undrawn = [...new Set(names.filter((name) => !drawnText(name).isWhole))]
  if (undrawn.length === 0) return []
  const named = undrawn.slice(0, NAMED).map((name) => `"${name}"`)
  const more = undrawn.length > NAMED ? ` and ${undrawn.length - NAMED} more` : ''
  const message = `Share pictures cannot show all of ${named.join(', ')}${more}. They can show Latin, Greek, Cyrillic and Japanese letters.`
  return [{ message, adminPath: '/admin/settings' }]
}
