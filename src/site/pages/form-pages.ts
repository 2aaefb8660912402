import type { Form } from '../../forms/form.ts'
import { pageTexts } from '../../messages/visitor/pages.ts'
import { type FormMistakes, type FormView, toFormView } from '../forms/form-view.ts'
import { pageBreadcrumbs } from './breadcrumbs.ts'
import { headDescription, headTitle } from './head-texts.ts'
import type { LayoutView } from './layout-view.ts'
import { type Page, viewOf } from './page.ts'
import { formKey, thanksKey } from './page-key.ts'
import { textOf } from './text-of.ts'

export interface FormPageView {
  form: FormView
}

export interface ThanksView {
  heading: string
  bodyHtml: string
}

/** `/forms/<slug>`. With errors, it is the response to a post that was refused. */
export function formPage(layout: LayoutView, form: Form, mistakes?: FormMistakes): Page<FormPageView> {
  const path = `/forms/${form.slug}`
  return {
    path,
    key: formKey(form),
    partial: 'form_page',
    view: viewOf(layout, path, {
      title: headTitle(mistakes ? pageTexts.checkAnswers : form.name, layout.siteName),
      description: headDescription(
        textOf(form.description) ?? pageTexts.formDescription(form.name, layout.siteName),
      ),
      isHidden: mistakes !== undefined,
      breadcrumbs: pageBreadcrumbs(form.name, path),
      detail: { form: toFormView(form, mistakes ?? { pagePath: path, values: {}, errors: {} }) },
    }),
  }
}

/** `/forms/<slug>/thanks`; `bodyHtml` is the text for the visitor. */
export function thanksPage(layout: LayoutView, form: Form, bodyHtml: string): Page<ThanksView> {
  const path = `/forms/${form.slug}/thanks`
  const heading = form.settings.success_heading ?? 'Thank you'
  return {
    path,
    key: thanksKey(form),
    partial: 'form_thanks',
    // A visitor who just sent a form isn't offered another one.
    view: viewOf({ ...layout, quote: null }, path, {
      title: headTitle(heading, layout.siteName),
      description: heading,
      isHidden: true,
      breadcrumbs: [],
      detail: { heading, bodyHtml },
    }),
  }
}
