import { findLocale } from '../../db/locale-store.ts'
import type { Db } from '../../db/schema.ts'
import { type CheckedAnswers, checkAnswers, sentValues } from '../../forms/check-answers.ts'
import type { Form } from '../../forms/form.ts'
import type { ReceivedFile } from '../../forms/received-file.ts'
import { formPage, thanksPage } from '../pages/form-pages.ts'
import { loadLayoutView } from '../pages/layout-view.ts'
import type { Page } from '../pages/page.ts'
import { loadSuccessHtml } from './form-view.ts'

export interface PreviewOptions {
  siteUrl: string
  now: Date
  /** URL that the previewed form posts to, so that it can be tried without storing anything. */
  action: string
}

/** Renders a form's page, stored or edited, whatever its status. */
export async function previewForm(db: Db, form: Form, options: PreviewOptions): Promise<Page> {
  return withAction(formPage(await loadLayoutView(db, options), form), options)
}

export type FormTrial =
  | { kind: 'accepted'; page: Page }
  | { kind: 'invalid'; page: Page; errors: Record<string, string[]> }

/** Renders the page that a visitor would see after sending these answers. */
export async function tryForm(
  db: Db,
  form: Form,
  { body, files }: { body: Record<string, string[]>; files: Record<string, ReceivedFile[]> },
  options: PreviewOptions,
): Promise<FormTrial> {
  const layout = await loadLayoutView(db, options)
  const checked: CheckedAnswers = checkAnswers(form.fields, body, files, await findLocale(db))
  if (checked.kind === 'valid')
    return { kind: 'accepted', page: thanksPage(layout, form, await loadSuccessHtml(db, form)) }
  const { errors } = checked
  const values = sentValues(form.fields, body, files)
  const page = formPage(layout, form, { errors, values, pagePath: `/forms/${form.slug}` })
  return { kind: 'invalid', errors, page: withAction(page, options) }
}

function withAction(page: ReturnType<typeof formPage>, { action }: PreviewOptions): Page {
  const { detail } = page.view
  const form = { ...detail.form, action, needsProof: false }
  return { ...page, view: { ...page.view, detail: { ...detail, form } } }
}
