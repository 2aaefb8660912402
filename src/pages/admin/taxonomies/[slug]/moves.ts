import type { APIRoute } from 'astro'
import { z } from 'zod'
import { savingBy } from '#src/admin/audit/saving-by.ts'
import { readPosted } from '#src/admin/kit/admin-form.ts'
import { answerChange } from '#src/admin/kit/answer-change.ts'
import { appOf, finish, notFound, safeNext } from '#src/admin/kit/page-context.ts'
import { describeOffers } from '#src/admin/taxonomies/describe-offers.ts'
import { moveTerm } from '#src/entries/terms/change-terms.ts'
import { termNoun, termTreeTexts } from '#src/messages/admin/terms.ts'
import { placeAfter, type TermPlace } from '#src/taxonomies/move-term.ts'
import type { TermNode, TermTree } from '#src/taxonomies/term-tree.ts'

const ID = z.coerce.number().int()

// A button posts a direction, a drop posts a position.
const POSTED = z.union([
  z.object({
    back: z.string(),
    step: z.templateLiteral([z.enum(['up', 'down', 'indent', 'outdent']), ':', z.number().int()]),
  }),
  z.object({
    back: z.string(),
    term: ID,
    parent: z.union([z.literal('').transform(() => null), ID]),
    index: ID,
  }),
])

type Posted = z.output<typeof POSTED>

/** Moves a term in its tree and redirects to its new position. */
export const POST: APIRoute = async (context) => {
  const posted = await readPosted(context, POSTED)
  if (!posted) return notFound(context)
  const change = { termId: termOf(posted), place: placeOf(posted) }
  const slug = context.params.slug ?? ''
  const { db } = appOf(context)
  const saving = savingBy(context)
  const outcome = await moveTerm(db, slug, change, saving)
  const back = backTo(posted)
  return answerChange(context, { back }, outcome, {
    saved: async ({ term: { id, name }, isMoved, offers }) => {
      if (!isMoved) return finish(context, false, { to: back, text: termTreeTexts.isInPlace(name) })
      const record = { action: 'term.moved', id, summary: termTreeTexts.moved(name, termNoun(slug)) } as const
      const pages = await describeOffers(db, offers, saving.now)
      return finish(context, record, { ...pages, to: back, text: termTreeTexts.isMoved(name) + pages.text })
    },
  })
}

function termOf(posted: Posted): number {
  return 'step' in posted ? Number(posted.step.split(':')[1]) : posted.term
}

function placeOf(posted: Posted): (tree: TermTree, term: TermNode) => TermPlace | undefined {
  if (!('step' in posted)) return () => ({ parentId: posted.parent, index: posted.index })
  const [step] = posted.step.split(':') as ['up' | 'down' | 'indent' | 'outdent']
  return (tree, term) => placeAfter(tree, term, step)
}

// Keeps the focus on the button, so that it can be pressed again. Browsers don't focus anything if the URL has a
// fragment.
function backTo(posted: Posted): string {
  const [path = '', query] = safeNext(posted.back).split('?')
  const search = new URLSearchParams(query)
  search.delete('focus')
  if ('step' in posted) search.set('focus', posted.step)
  const fragment = 'step' in posted ? '' : `#term-${termOf(posted)}`
  return `${path}${search.size > 0 ? `?${search}` : ''}${fragment}`
}
