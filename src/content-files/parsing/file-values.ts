import type { ContentTypeDefinition } from '../../entries/types/content-type-definition.ts'
import type { TermDefinition } from '../../taxonomies/taxonomy-definition.ts'
import type { WebhookDefinition } from '../../webhooks/definition/webhook-definition.ts'
import type {
  ContentDocument,
  EntryDocument,
  FormDocument,
  PictureDocument,
  SiteDocument,
  TaxonomyDocument,
} from '../document.ts'

type Values = Record<string, unknown>

/** Returns the YAML part of a document's file: keys in reading order, without defaults. */
export function fileValuesOf(document: ContentDocument): Values {
  switch (document.kind) {
    case 'site':
      return siteValues(document)
    case 'content_type':
      return contentTypeValues(document.definition)
    case 'taxonomy':
      return taxonomyValues(document)
    case 'form':
      return formValues(document)
    case 'entry':
      return entryValues(document)
    case 'picture':
      return pictureValues(document)
  }
}

function siteValues({ settings: { home, ...settings } }: SiteDocument): Values {
  return withoutEmpty({ ...settings, home: withoutEmpty(home) })
}

// A built-in type needs `is_routable` and `schema`.
function contentTypeValues({ schema, ...definition }: ContentTypeDefinition): Values {
  return { ...withoutDefaults(definition, { sort_order: 100 }), schema }
}

function taxonomyValues({ definition: { terms, ...definition } }: TaxonomyDocument): Values {
  const defaults = { is_hierarchical: false, sort_order: 100, archive: false }
  const { applies_to } = definition
  return {
    ...withoutDefaults(definition, defaults),
    // An empty list applies to nothing; a missing list applies to everything.
    ...(applies_to === null ? {} : { applies_to }),
    ...withoutEmpty({ terms: terms.map(termValues) }),
  }
}

function termValues({ terms, ...term }: TermDefinition): Values {
  return withoutEmpty({ ...term, terms: terms.map(termValues) })
}

function formValues({ definition, webhooks }: FormDocument): Values {
  const { name, description, status, settings, fields } = definition
  return {
    ...withoutDefaults({ name, description, status, settings }, { status: 'active' }),
    fields: fields.map(({ name, type, label, ...field }) =>
      withoutDefaults({ name, type, label, ...field }, { required: false }),
    ),
    ...withoutEmpty({ webhooks: webhooks.map(webhookValues) }),
  }
}

// Inside templates and conditions, an empty object or null has a meaning.
function webhookValues(webhook: WebhookDefinition): Values {
  const { name, url, method, headers, payload_template, fire_on, signing_secret, ...rest } = webhook
  return {
    ...withoutDefaults({ name, url, method, headers }, { method: 'POST' }),
    ...withoutNull({ payload_template, fire_on, signing_secret }),
    ...withoutDefaults(rest, { max_retries: 6, enabled: true }),
  }
}

function entryValues({ title, status, fields, terms, ...timing }: EntryDocument): Values {
  const { publish_at, unpublish_at, redirect_from } = timing
  return {
    ...withoutDefaults({ title, status }, { status: 'published' }),
    ...withoutEmpty({ publish_at, unpublish_at, redirect_from }),
    ...fields,
    ...withoutEmpty({ terms }),
  }
}

// An empty text means that the picture is decorative.
function pictureValues({ alt, focal_point, crop, tags }: PictureDocument): Values {
  return withoutNull({ alt, focal_point, crop, tags })
}

function withoutDefaults(values: object, defaults: Values): Values {
  return Object.fromEntries(
    Object.entries(withoutEmpty(values)).filter(([key, value]) => defaults[key] !== value),
  )
}

function withoutEmpty(values: object): Values {
  return Object.fromEntries(Object.entries(withoutNull(values)).filter(([, value]) => !isEmpty(value)))
}

function withoutNull(values: object): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  )
}

function isEmpty(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
}
