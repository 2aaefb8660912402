import type { Db } from '../../db/schema.ts'
import type { OfferCounts } from '../../entries/offers/follow-offers.ts'
import type { AddedTerm } from '../../entries/terms/add-terms.ts'
import { localPageTexts, termListTexts, termNoun } from '../../messages/admin/terms.ts'
import { LOCATIONS } from '../../taxonomies/place-kind.ts'
import type { Next } from '../kit/page-context.ts'
import { describeOffers } from './describe-offers.ts'

interface Added {
  /** Slug of the taxonomy. */
  taxonomy: string
  added: readonly AddedTerm[]
  /** The page to show if nothing is new. */
  back: string
  offers: OfferCounts
  now: Date
}

/** Returns the message about new terms, with the next step, and the tree opened where they are. */
export async function describeAdded(db: Db, { taxonomy, added, back, offers, now }: Added): Promise<Next> {
  const text = termListTexts.areAdded(
    added.map(({ name }) => name),
    termNoun(taxonomy),
  )
  const base = `/admin/taxonomies/${taxonomy}`
  const to = added.length > 0 ? base + newTermsQuery(added) : back
  if (taxonomy !== LOCATIONS || added.length === 0) return { to, text }
  if (offers.added > 0 || offers.removed > 0) {
    const pages = await describeOffers(db, offers, now)
    return { ...pages, to, text: text + pages.text }
  }
  const isOne = added.length === 1
  const links = added.map(({ id, name }) => ({
    label: isOne ? localPageTexts.chooseItsServices : name,
    href: `${base}/terms/${id}#services`,
  }))
  return { to, links, text: isOne ? text : text + localPageTexts.chooseServicesIn }
}

/** Returns the query of the tree that shows new terms, and where it scrolls. */
function newTermsQuery(added: readonly AddedTerm[]): string {
  const [first] = added
  if (!first) return ''
  const ids = added.map(({ id }) => id)
  const branch = first.parentId === null ? '' : `branch=${first.parentId}&`
  return `?${branch}new=${Math.min(...ids)}-${Math.max(...ids)}#term-${first.id}`
}

/** Returns whether a term is one of the new ones that the tree's URL names: `12-19`. */
export function isNewTerm(query: string | null, { id }: { id: number }): boolean {
  const [first, last] =
    /^(\d{1,15})-(\d{1,15})$/
      .exec(query ?? '')
      ?.slice(1)
      .map(Number) ?? []
  return first !== undefined && last !== undefined && first <= id && id <= last
}
