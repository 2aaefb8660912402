import type { AstroGlobal } from 'astro'
import { savingBy } from '#src/admin/audit/saving-by.ts'
import { appOf, readId } from '#src/admin/kit/page-context.ts'
import type { Versioned } from '#src/admin/versions/versioned.ts'
import { loadTaxonomy, restoreTerm } from '#src/entries/terms/change-terms.ts'
import { versionChanges, versionValues } from '#src/messages/admin/history/versions.ts'
import { placeKindLabels, termInputs, termNoun } from '#src/messages/admin/terms.ts'
import { findShownSaves } from '#src/publish/states/shown-saves.ts'
import { type TermSnapshot, termSubject, toTermSnapshot } from '#src/taxonomies/record-term.ts'
import { ancestorsOf, type TermTree } from '#src/taxonomies/term-tree.ts'
import { taxonomyName } from '../../messages/admin/taxonomies.ts'

const KEYS = ['name', 'slug', 'description', 'parentId', 'kind'] as const
const INPUTS = { ...termInputs, parentId: termInputs.parent }

/** Finds the place or category in the URL with its versions; undefined if there is none. */
export async function findVersionedTerm(
  context: Pick<AstroGlobal, 'params' | 'locals'>,
): Promise<Versioned | undefined> {
  const { db, config } = appOf(context)
  const found = await loadTaxonomy(db, context.params.slug ?? '')
  const term = found?.tree.byId.get(readId(context.params.id))
  if (!found || !term) return undefined
  const { taxonomy, tree } = found
  const { id, name } = term
  const base = `/admin/taxonomies/${taxonomy.slug}`
  const self = `${base}/terms/${id}`
  const describe = (before: unknown, after: unknown) =>
    compareTerms(tree, before as TermSnapshot | undefined, after as TermSnapshot)
  return {
    ...{ subject: termSubject(id), name, self, now: toTermSnapshot(term) },
    findShown: () => findShownSaves({ db, dataDir: config.dataDir }, { subjects: ['term'], id }),
    trail: [
      { href: base, label: taxonomyName(taxonomy) },
      ...[...ancestorsOf(term), term].map((one) => ({ href: `${base}/terms/${one.id}`, label: one.name })),
    ],
    listLabels: (before, after) => describe(before, after).map(({ label }) => label),
    describe: async (before, after) => describe(before, after),
    async restore({ id: versionId }, keys) {
      const of = { termId: id, versionId, keys }
      const outcome = await restoreTerm(db, taxonomy.slug, of, savingBy(context, 'restored'))
      return outcome.kind === 'saved' ? { kind: 'saved', value: { to: self } } : outcome
    },
    record: {
      action: 'term.restored',
      id,
      summary: versionChanges.termRestored(name, termNoun(taxonomy.slug)),
    },
  }
}

function compareTerms(tree: TermTree, before: TermSnapshot | undefined, after: TermSnapshot) {
  const former = before && textsOf(tree, before)
  const texts = textsOf(tree, after)
  return KEYS.filter((key) => (former?.[key] ?? '') !== texts[key]).map((key) => ({
    ...{ key, label: INPUTS[key].label, before: former?.[key] ?? '', after: texts[key] },
  }))
}

function textsOf(tree: TermTree, { name, slug, description, parentId, kind }: TermSnapshot) {
  const parent = parentId === null ? '' : (tree.byId.get(parentId)?.name ?? versionValues.gone(parentId))
  return {
    name,
    slug,
    description: description ?? '',
    parentId: parent,
    kind: kind ? placeKindLabels[kind] : '',
  }
}
