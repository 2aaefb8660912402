import type { Form, FormField } from '../forms/form.ts'
import { renderMarkdown } from '../lib/markdown.ts'
import type { SiteContent } from './site-content.ts'

/** A form as a page shows it. Static pages carry no values; a page with mistakes carries them back. */
export interface FormView {
  slug: string
  name: string
  description: string | null
  action: string
  fields: FormField[]
  /** Name of the decoy field, if the form has one. */
  honeypot: string | null
  /** The page the form stands on, sent back as `_page`. */
  pagePath: string
  values: Record<string, unknown>
  errors: Record<string, string[]>
}

export interface FormMistakes {
  pagePath: string
  values: Record<string, unknown>
  errors: Record<string, string[]>
}

export function toFormView(form: Form, { pagePath, values, errors }: FormMistakes): FormView {
  return {
    slug: form.slug,
    name: form.name,
    description: form.description,
    action: `/api/forms/${form.slug}/submissions`,
    fields: form.fields,
    honeypot: form.settings.honeypot ?? null,
    pagePath,
    values,
    errors,
  }
}

/** The form a page asks for by slug, else the site's default; null when there is none that is active. */
export function findFormView(content: SiteContent, slug: unknown, pagePath: string): FormView | null {
  const wanted = typeof slug === 'string' && slug ? slug : content.settings.default_form
  const form = wanted ? content.forms.get(wanted) : undefined
  return form?.status === 'active' ? toFormView(form, { pagePath, values: {}, errors: {} }) : null
}

/** What the visitor reads after a submission. */
export function successHtml(form: Form): string {
  return renderMarkdown(form.settings.success_body ?? 'Thank you. We have received your message.')
}
