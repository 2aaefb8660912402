import type { AstroGlobal } from 'astro'
import { appOf } from '#src/admin/kit/page-context.ts'
import type { DescribedChange, Versioned } from '#src/admin/versions/versioned.ts'
import { compareForms, type FormChange, type FormKey } from '#src/forms/history/compare-forms.ts'
import { type FormSnapshot, formSubject, toFormSnapshot } from '#src/forms/history/record-form.ts'
import { formVersionTexts, versionChanges } from '#src/messages/admin/history/versions.ts'
import { findShownSaves } from '#src/publish/states/shown-saves.ts'
import { restoreForm } from '#src/site/settings/save-form-settings.ts'
import { editingOf, findFormOfPage } from '../form-context.ts'
import { readableForm } from './readable-form.ts'

const { own, settings, parts, question, order } = formVersionTexts

/** Finds the form in the URL with its versions; undefined if there is none. */
export async function findVersionedForm(
  context: Pick<AstroGlobal, 'params' | 'locals' | 'url'>,
): Promise<Versioned | undefined> {
  const form = await findFormOfPage(context)
  if (!form) return undefined
  const { db, config } = appOf(context)
  const { id, slug, name } = form
  const self = `/admin/forms/${slug}`
  const compare = (before: unknown, after: unknown) =>
    compareForms(before as FormSnapshot | undefined, after as FormSnapshot)
  return {
    ...{ subject: formSubject(id), name, self, now: toFormSnapshot(form) },
    findShown: async () =>
      form.status === 'active'
        ? findShownSaves({ db, dataDir: config.dataDir }, { subjects: ['form'], id })
        : 'unknown',
    trail: [{ href: self, label: name }],
    listLabels: (before, after) => [...new Set(compare(before, after).map(({ key }) => shortLabel(key)))],
    describe: async (before, after) => compare(before, after).map(describe),
    async restore({ id: versionId }) {
      const outcome = await restoreForm(db, form, versionId, editingOf(context, 'restored'))
      if (outcome.kind !== 'saved') return outcome
      return { kind: 'saved', value: { to: `/admin/forms/${outcome.value.slug}` } }
    },
    record: { action: 'form.restored', id, summary: versionChanges.formRestored(name) },
  }
}

function describe({ key, before, after }: FormChange): DescribedChange {
  const isMarkdown = 'setting' in key && key.setting === 'success_body'
  return {
    label: labelOf(key),
    before: readableForm(key, before),
    after: readableForm(key, after),
    isMarkdown,
  }
}

function labelOf(key: FormKey): string {
  if ('question' in key && key.part) return `${question(key.question)}: ${parts[key.part]}`
  return shortLabel(key)
}

function shortLabel(key: FormKey): string {
  if ('own' in key) return own[key.own]
  if ('setting' in key) return settings[key.setting]
  return 'question' in key ? question(key.question) : order
}
