import type { Db } from '../../db/schema.ts'
import { antiSpamRules } from '../../forms/anti-spam.ts'
import type { ControlAttributes } from '../../forms/field-types/control.ts'
import type { Widget } from '../../forms/field-types/field-type.ts'
import { FIELD_TYPES } from '../../forms/field-types/field-types.ts'
import { controlAttributes } from '../../forms/fields/control-attributes.ts'
import type { Form, FormField } from '../../forms/form.ts'
import { mayHoldPictures, renderMarkdown } from '../../lib/markdown/markdown.ts'
import { renderApart } from '../../lib/markdown/render-apart.ts'
import { onceFor } from '../../lib/once-for.ts'
import { pageTexts } from '../../messages/visitor/pages.ts'
import type { Picture } from '../../pictures/picture.ts'
import { listPictures } from '../../pictures/picture-store.ts'
import { renderNamed } from '../content/lazy-markdown.ts'
import type { SiteContent } from '../content/site-content.ts'
import { textOf } from '../pages/text-of.ts'
import { textPictures } from '../pictures/text-pictures.ts'

const KEPT_SUCCESS_TEXTS = 100
/** In characters. Longer texts are rendered in another thread, so that the server can answer other posts. */
const QUICK_TEXT = 1_000

/** A field with the attributes of its control. */
export interface FieldView extends FormField {
  control: ControlAttributes
  widget: Widget
}

/** A form as a page shows it. On static pages it has no values; after a mistake it has the visitor's. */
export interface FormView {
  slug: string
  name: string
  description: string | null
  /** The button's label; null for the default. */
  submitLabel: string | null
  /** The URL that the form posts to. */
  action: string
  fields: readonly FieldView[]
  /**
   * The version of the fields. The form must post this number as `_v`. Answers are validated against the version that
   * the visitor saw.
   */
  version: number
  /** The name of the hidden field that catches spam, if the form has one. */
  honeypot: string | null
  /**
   * True if the form requires a proof of work. To make Signpost's script send the proof, add the attribute
   * `data-proof` to the form.
   */
  needsProof: boolean
  /** The path of the page with the form. The form must post this path as `_page`. */
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
    description: textOf(form.description),
    submitLabel: textOf(form.settings.submit_label),
    action: `/api/forms/${form.slug}/submissions`,
    fields: fieldViews(form),
    version: form.version,
    honeypot: form.settings.honeypot ?? null,
    needsProof: antiSpamRules(form.settings).needsProofOfWork,
    pagePath,
    values: Object.assign(Object.create(null), values),
    errors: Object.assign(Object.create(null), errors),
  }
}

// Made once per form, not for each page that shows it.
const fieldViews = onceFor(({ fields }: Form): readonly FieldView[] => fields.map(toFieldView))

function toFieldView(field: FormField): FieldView {
  const { widget, widgetWithOptions = widget } = FIELD_TYPES[field.type]
  const shown = field.options.length > 0 ? widgetWithOptions : widget
  return { ...field, control: controlAttributes(field), widget: shown }
}

/** Returns the form with a slug, or else the site's default form; null if neither is active. */
export function findFormView(content: SiteContent, slug: unknown, pagePath: string): FormView | null {
  const wanted = typeof slug === 'string' && slug ? slug : content.settings.default_form
  const form = wanted ? content.forms.get(wanted) : undefined
  return form?.status === 'active' ? toFormView(form, { pagePath, values: {}, errors: {} }) : null
}

/**
 * Returns the text shown after a submission, as HTML. Throws an error naming the form if the text can't be rendered.
 */
export function successHtml(form: Form, pictures: ReadonlyMap<string, Picture>): string {
  const markdown = form.settings.success_body ?? pageTexts.received
  const key = successKey(markdown, pictures)
  const owner = { kind: 'form', name: form.slug } as const
  const text = { markdown, owner, pictures: textPictures(pictures) }
  return successTexts.get(key) ?? keepSuccessHtml(key, renderNamed(text))
}

function successKey(text: string, pictures: ReadonlyMap<string, Picture>): string {
  return JSON.stringify([text, textPictures(pictures).stateOf(text)])
}

function keepSuccessHtml(key: string, html: string): string {
  if (successTexts.size >= KEPT_SUCCESS_TEXTS) successTexts.clear()
  successTexts.set(key, html)
  return html
}

/**
 * Does the same where pictures aren't loaded: they are read only if the text may contain some. The post is already
 * stored, so a text that can't be rendered is left out.
 */
export async function loadSuccessHtml(db: Db, form: Form): Promise<string> {
  const text = form.settings.success_body ?? ''
  const pictures = mayHoldPictures(text) ? await listPictures(db) : new Map()
  const key = successKey(text, pictures)
  if (text.length <= QUICK_TEXT || successTexts.has(key)) return successHtml(form, pictures)
  const inPlace = successTexts.get(withoutText(key))
  if (inPlace !== undefined) return inPlace
  const rendered = await renderApart(text, textPictures(pictures).find)
  if (rendered.kind === 'rendered') return keepSuccessHtml(key, rendered.html)
  return keepSuccessHtml(withoutText(key), renderMarkdown(pageTexts.received))
}

// A placeholder, which a publish must not mistake for the text.
function withoutText(key: string): string {
  return `without ${key}`
}

// Cached, because every accepted post shows one and rendering takes half as long as storing the post.
const successTexts = new Map<string, string>()
