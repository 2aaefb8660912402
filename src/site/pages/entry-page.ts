import type { Entry } from '../../entries/entry-store.ts'
import { rulesOf } from '../../entries/types/builtin/registry.ts'
import type { ContentType, SchemaField } from '../../entries/types/content-type-store.ts'
import { isEmpty } from '../../entries/types/field-values.ts'
import { composeRoute } from '../../entries/types/route-pattern.ts'
import { plainText } from '../../lib/markdown/markdown.ts'
import { withMarkdown } from '../content/lazy-markdown.ts'
import type { SiteContent } from '../content/site-content.ts'
import { type FormView, findFormView } from '../forms/form-view.ts'
import { type EntryPicture, entryPicture, namedPicture, namedPictures } from '../pictures/entry-picture.ts'
import { textPictures } from '../pictures/text-pictures.ts'
import { pageBreadcrumbs } from './breadcrumbs.ts'
import { headDescription, headTitle } from './head-texts.ts'
import { type Page, type PageAddress, viewOf } from './page.ts'
import { entryKey } from './page-key.ts'
import { textOf, webAddress } from './text-of.ts'

// Shown in a fixed position instead of in the list of fields.
const FIELDS_WITH_A_PLACE = new Set(['summary', 'form', 'picture', 'picture_alt'])

// Characters of Markdown that are enough for a description and few enough to process at every publish.
const TEXT_FOR_DESCRIPTION = 1_000

interface FieldView {
  key: string
  label: string
  type: SchemaField['type']
  value: unknown
  /** Labels of the yes/no parts of a list's items, by key; only if there are any. */
  labels?: Record<string, string>
}

export interface EntryView {
  /** The slug of its content type. */
  type: string
  title: string
  summary: string | null
  bodyHtml: string
  /** The filled-in fields of the type's schema, in schema order. */
  fields: FieldView[]
  form: FormView | null
  picture: EntryPicture | null
}

/** Returns the address of an entry's page; undefined if the slug doesn't fit the route pattern. */
export function entryAddress(type: ContentType | undefined, entry: Entry): PageAddress | undefined {
  const path = type?.routePattern ? composeRoute(type.routePattern, entry.slug) : undefined
  return path === undefined ? undefined : { path, key: entryKey(entry), formerPaths: entry.redirectFrom }
}

/**
 * Returns the page of an entry of any routable type (§2.9 rule 4). Undefined if the slug doesn't fit the route
 * pattern.
 */
export function entryPage(
  content: SiteContent,
  type: ContentType,
  entry: Entry,
): Page<EntryView> | undefined {
  const address = entryAddress(type, entry)
  if (!address) return undefined
  const { path } = address
  return {
    ...address,
    partial: type.detailPartial ?? 'entry_detail',
    view: viewOf(content.layout, path, {
      title: headTitle(entry.title, content.settings.name),
      description: describe(content, type, entry),
      photo: entryPicture(content.pictures, entry.data)?.src,
      breadcrumbs: pageBreadcrumbs(entry.title, path),
      detail: detailOf(content, type, entry, path),
    }),
  }
}

// Without a summary, the description is the start of the text.
function describe({ settings }: SiteContent, type: ContentType, entry: Entry): string {
  const summary = textOf(entry.data.summary)
  if (summary) return headDescription(summary)
  const text = plainText(entry.body.slice(0, TEXT_FOR_DESCRIPTION))
  return headDescription(
    `${entry.title}${rulesOf(type.slug).isPlain ? '' : ` (${type.name})`}, ${settings.name}.`,
    text,
  )
}

function detailOf(content: SiteContent, type: ContentType, entry: Entry, path: string): EntryView {
  const detail = {
    type: type.slug,
    title: entry.title,
    summary: textOf(entry.data.summary),
    fields: filledFields(type, entry, content.pictures),
    // Shows a form only if the entry names one; the default form is for services.
    picture: entryPicture(content.pictures, entry.data),
    form: entry.data.form ? findFormView(content, entry.data.form, path) : null,
  }
  const pictures = textPictures(content.pictures)
  return withMarkdown(detail, 'bodyHtml', {
    markdown: entry.body,
    owner: { kind: 'page', name: path },
    pictures,
  })
}

function filledFields(
  type: ContentType,
  entry: Entry,
  pictures: SiteContent['pictures'],
): EntryView['fields'] {
  return type.fields
    .filter((field) => !FIELDS_WITH_A_PLACE.has(field.key))
    .map((field) => ({
      key: field.key,
      label: field.label,
      type: field.type,
      value: shownValue(field, entry.data[field.key], pictures),
      ...labelsOf(field),
    }))
    .filter(({ value }) => !isEmpty(value))
}

// A yes or no means nothing without its label.
function labelsOf({ fields = [] }: SchemaField): Pick<FieldView, 'labels'> {
  const parts = fields.filter(({ type }) => type === 'boolean')
  if (parts.length === 0) return {}
  return { labels: Object.fromEntries(parts.map(({ key, label }) => [key, label])) }
}

function shownValue(field: SchemaField, value: unknown, pictures: SiteContent['pictures']): unknown {
  switch (field.type) {
    case 'url':
      return webAddress(value)
    case 'picture':
      return namedPicture(pictures, value)
    case 'pictures':
      return namedPictures(pictures, value)
    default:
      return field.fields && Array.isArray(value)
        ? value.map((item) => shownItem(field, item, pictures))
        : value
  }
}

// Lists without pictures are left unchanged.
function shownItem({ fields = [] }: SchemaField, item: unknown, pictures: SiteContent['pictures']): unknown {
  if (typeof item !== 'object' || item === null) return item
  const values = Object.entries(item).map(([key, value]) => {
    const part = fields.find((one) => one.key === key)
    return [key, part ? shownValue(part, value, pictures) : value]
  })
  return Object.fromEntries(values)
}
