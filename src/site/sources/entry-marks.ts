import { crc32 } from 'node:zlib'
import type { Entry } from '../../entries/entry-store.ts'
import { LOCATION_SERVICES } from '../../entries/types/builtin/slugs.ts'
import { namesInText, namesInValues } from '../../pictures/named-pictures.ts'
import { shortHash } from '../content/fingerprint.ts'
import type { SiteContent } from '../content/site-content.ts'

/** Returns 8 hex digits that change with the value. Used to report what changed, not to decide what is rendered. */
export function changeMark(value: unknown): string {
  return crc32(JSON.stringify(value) ?? '')
    .toString(16)
    .padStart(8, '0')
}

/**
 * Changes with anything in an entry that its page shows, except the content of its pictures, and with the results of
 * comparing its text: 16 hex digits.
 */
export function entryMark({ ownTexts, pictures }: SiteContent, entry: Entry): string {
  const { data } = entry
  // Adding a place also saves the services that are, or are not, offered in it.
  const shown = data.offered_in ? { ...entry, data: withoutOffers(data), updatedAt: '' } : entry
  return shortHash(JSON.stringify([shown, ownTexts.get(entry.id), picturesOf(pictures, entry)]))
}

/** Returns an entry's data without its places: pages show the local pages that these make, which are entries. */
export function withoutOffers({ offered_in: _, ...data }: Entry['data']): Entry['data'] {
  return data
}

const FORM_ADDRESS = /\/forms\/[\w-]+/g

/**
 * Changes with everything that other pages show of an entry, and with the address of its page: 16 hex digits. While
 * it stays the same, an edit affects only the entry's own page. Other pages link to an entry by its title, but name
 * a location service after its service and place. The rest of a service is also on the pages of its places and on
 * those that list services.
 */
export function frameMark({ types }: Pick<SiteContent, 'types'>, entry: Entry): string {
  const { id, typeId, slug, title, data, body, redirectFrom } = entry
  const { service_entry_id, location_term_id, form, icon, position } = data
  const isPlace = types.get(LOCATION_SERVICES)?.id === typeId
  // Built-in forms that nothing uses aren't listed.
  const forms = `${body} ${JSON.stringify(data)}`.match(FORM_ADDRESS)
  const shown = isPlace ? [service_entry_id, location_term_id] : [title, icon, position]
  return shortHash(JSON.stringify([id, typeId, slug, redirectFrom, form, forms, shown]))
}

/** Returns the named pictures that exist, in the data and in the body. Their content is a source of its own. */
export function picturesOf(pictures: SiteContent['pictures'], { data, body }: Entry): (string | undefined)[] {
  return [knownAmong(pictures, namesInValues(data)), knownAmong(pictures, namesInText(body))]
}

/** Returns the names that exist, one per line; undefined without any, so that marks without pictures stay the same. */
export function knownAmong(
  pictures: SiteContent['pictures'],
  names: ReadonlySet<string>,
): string | undefined {
  const known = [...names].filter((name) => pictures.has(name))
  return known.length === 0 ? undefined : known.join('\n')
}
