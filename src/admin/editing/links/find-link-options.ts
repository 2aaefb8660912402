import type { Db } from '#src/db/schema.ts'
import { listPagesNamed } from '#src/entries/entry-list-store.ts'
import { nameOfEntry } from '#src/entries/entry-name.ts'
import { listContentTypes } from '#src/entries/types/content-type-store.ts'
import { composeRoute } from '#src/entries/types/route-pattern.ts'
import { listForms } from '#src/forms/form-store.ts'
import { withoutUnusableCharacters } from '#src/lib/characters.ts'
import { linkTexts } from '#src/messages/admin/editing.ts'
import type { LinkOption } from './link-option.ts'

const OFFERED = 12
const LONGEST = 100

/** Returns the published pages whose names contain every word, first the site's own, then local pages. */
export async function findLinkOptions(db: Db, search: string): Promise<LinkOption[]> {
  const words = withoutUnusableCharacters(search).slice(0, LONGEST).split(/\s+/).filter(Boolean)
  const isNamed = ({ name }: LinkOption) =>
    words.every((word) => name.toLowerCase().includes(word.toLowerCase()))
  const types = (await listContentTypes(db)).filter(({ isRoutable }) => isRoutable)
  const patterns = new Map(types.map(({ id, routePattern }) => [id, routePattern ?? '']))
  const pages = await listPagesNamed(db, [...patterns.keys()], { words, limit: OFFERED })
  const forms = (await listForms(db)).filter(({ status }) => status === 'active')
  const others = [
    { name: linkTexts.home, path: '/' },
    { name: linkTexts.services, path: '/services' },
    ...forms.map(({ slug, name }) => ({ name, path: `/forms/${slug}` })),
  ]
  const found = pages.flatMap(({ typeId, slug, title, serviceTitle, placeName }) => {
    const path = composeRoute(patterns.get(typeId) ?? '', slug)
    const name = nameOfEntry({ title, slug, service: serviceTitle, place: placeName })
    return path === undefined ? [] : [{ name, path }]
  })
  return [...others.filter(isNamed), ...found].slice(0, OFFERED)
}
