import { CONDITION_META_KEYS } from '../../conditions/conditions.ts'
import type { FormField } from '../../forms/form.ts'
import { withoutLinks } from '../../lib/markdown/link-parts.ts'
import { metaLabel } from '../../messages/admin/webhooks/meta-labels.ts'
import { conditionTexts as texts } from '../../messages/admin/webhooks/webhook-editor.ts'

type MetaKey = (typeof CONDITION_META_KEYS)[number]

interface FieldGroup {
  label: string
  fields: { name: string; label: string }[]
}

const SUBJECT_KEYS: readonly MetaKey[] = ['location_slug', 'service_slug']
const SOURCE_KEYS: readonly MetaKey[] = [
  ...(['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const),
  ...(['referrer', 'landing_page', 'page_path'] as const),
]
const DEVELOPER_KEYS = CONDITION_META_KEYS.filter((key) => ![...SUBJECT_KEYS, ...SOURCE_KEYS].includes(key))
/** Names in rules where values are names, too. */
const OWN_LABELS: { readonly [Key in MetaKey]?: string } = {
  location_slug: texts.fields.place,
  service_slug: texts.fields.service,
  location_name: texts.fields.placeName,
  service_name: texts.fields.serviceName,
}

/** Lists the fields for rules, the most common ones first. */
export function listRuleFields(fields: readonly FormField[]): FieldGroup[] {
  return [
    { label: texts.groups.subject, fields: SUBJECT_KEYS.map(toField) },
    { label: texts.groups.source, fields: SOURCE_KEYS.map(toField) },
    {
      label: texts.groups.answers,
      fields: fields.map(({ name, label }) => ({ name, label: texts.field(withoutLinks(label), name) })),
    },
    {
      label: texts.groups.developers,
      fields: DEVELOPER_KEYS.map(toField).map(({ name, label }) => ({
        name,
        label: texts.field(label, name),
      })),
    },
  ]
}

function toField(key: MetaKey) {
  return { name: `meta.${key}`, label: OWN_LABELS[key] ?? metaLabel(key) }
}
