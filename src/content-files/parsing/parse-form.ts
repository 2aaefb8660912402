import { z } from 'zod'
import { defaultAnswerFault } from '../../forms/fields/default-answer.ts'
import { fieldDefinitionSchema } from '../../forms/fields/field-definition.ts'
import { formDefinitionSchema } from '../../forms/form-definition.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { listNullWarnings } from '../../templates/null-warnings.ts'
import { type TemplateField, toTemplateField } from '../../templates/template-field.ts'
import { type WebhookDefinition, webhookDefinition } from '../../webhooks/definition/webhook-definition.ts'
import { readTextPictures } from '../texts/read-text-pictures.ts'
import { findMentions, type MentionProblem } from './find-mentions.ts'
import type { LocatedYaml } from './located-yaml.ts'
import type { Mistake } from './mistake.ts'
import { type ParsedFile, rawText, rawValue, readWith, type YamlFile } from './parsed-file.ts'
import { readWebhooks } from './read-webhooks.ts'
import type { Reference } from './reference.ts'
import { nameOf } from './schema-faults.ts'

/** The schema of a whole form file; its parts are checked one at a time. */
export const formFile = z.strictObject({
  ...formDefinitionSchema.shape,
  webhooks: z.array(webhookDefinition).nullish(),
})

/** Parses `forms/<slug>.yaml`: a form with its fields and webhooks (§2.1–2.3). */
export function parseForm({ path, slug, yaml, environment }: YamlFile): ParsedFile {
  const { rawForm, rawWebhooks } = splitForm(yaml.value)
  const form = readWith(formDefinitionSchema, yaml, { path, value: rawForm, known: formFile })
  const webhooks = readWebhooks(rawWebhooks, { path, yaml, environment, known: formFile })
  const pictures = readTextPictures(rawText(rawValue(rawForm, 'settings'), 'success_body') ?? '', {
    path,
    lineOf: () => yaml.lineOf(['settings', 'success_body']),
  })
  const { unclosed = [], wrong = [] } = Object.groupBy(
    findMentions({
      settings: form.value?.settings ?? {},
      webhooks: rawList(rawWebhooks).map(readableParts),
      fields: rawFields(rawForm),
    }),
    // Such a text is sent as it is, and may be meant so.
    ({ problem }) => (problem.code === 'reference_unclosed' ? 'unclosed' : 'wrong'),
  )
  const mentions = wrong.map((one): Reference => ({ to: 'faulty_part', key: one.key, ...locate(one, yaml) }))
  const mistakes = [...form.mistakes, ...pictures.mistakes, ...webhooks.mistakes]
  const document =
    form.value && mistakes.length === 0
      ? { kind: 'form' as const, slug, definition: form.value, webhooks: webhooks.value ?? [] }
      : undefined
  const nulls = document?.webhooks.flatMap((webhook, index) =>
    findNulls(webhook, { fields: rawFields(rawForm), path, yaml, index }),
  )
  const defaults = readDefaults(rawForm, yaml)
  const references = [...webhooks.references, ...pictures.references, ...defaults, ...mentions]
  const warnings = [...unclosed.map((one) => ({ path, ...locate(one, yaml) })), ...(nulls ?? [])]
  return { path, document, references, mistakes, warnings }
}

// Checked even when other parts are invalid, so that one run reports every mistake.
function readDefaults(rawForm: unknown, yaml: LocatedYaml): Reference[] {
  return rawList(rawValue(rawForm, 'fields')).flatMap((raw, index): Reference[] => {
    const field = fieldDefinitionSchema.safeParse(raw).data
    const rule = field && defaultAnswerFault(field)
    if (!rule) return []
    const place = ['fields', index, 'default_value']
    const fault = { code: 'value_faulty' as const, params: { name: nameOf(place), rule } }
    return [{ to: 'faulty_part', key: canonicalJson(field), fault, line: yaml.lineOf(place) }]
  })
}

function splitForm(value: unknown): { rawForm: unknown; rawWebhooks: unknown } {
  if (typeof value !== 'object' || value === null) return { rawForm: value, rawWebhooks: undefined }
  const { webhooks: rawWebhooks, ...rawForm } = value as Record<string, unknown>
  return { rawForm, rawWebhooks }
}

// References and names are collected even from an invalid webhook or field.
function readableParts(webhook: unknown): Pick<WebhookDefinition, 'payload_template' | 'fire_on'> {
  const { payload_template, fire_on } = webhookDefinition.shape
  return {
    payload_template: payload_template.safeParse(rawValue(webhook, 'payload_template')).data ?? null,
    fire_on: fire_on.safeParse(rawValue(webhook, 'fire_on')).data ?? null,
  }
}

function rawFields(rawForm: unknown): TemplateField[] {
  return rawList(rawValue(rawForm, 'fields')).flatMap((field) => {
    const [name, type = ''] = [rawText(field, 'name'), rawText(field, 'type')]
    const required = rawValue(field, 'required') === true
    const options = rawList(rawValue(field, 'options'))
    return name === undefined ? [] : toTemplateField({ name, type, required, options })
  })
}

function rawList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

interface WebhookPlace {
  path: string
  yaml: LocatedYaml
  index: number
}

function findNulls(
  { method, payload_template }: WebhookDefinition,
  { fields, path, yaml, index }: WebhookPlace & { fields: readonly TemplateField[] },
): Mistake[] {
  const warnings = listNullWarnings(payload_template, fields)
  const [first] = warnings
  if (method === 'GET' || !first) return []
  const line = yaml.lineOf(['webhooks', index, 'payload_template', ...first.path])
  const listed = (key: 'written' | 'fix') => [...new Set(warnings.map((warning) => warning[key]))]
  const params = { written: listed('written'), fixes: listed('fix') }
  return [{ path, line, fault: { code: 'payload_nulls', params } }]
}

// In a webhook, the line is that of the mention.
function locate({ problem: { mention, ...rule }, place }: MentionProblem, yaml: LocatedYaml) {
  const isOfWebhook = place[0] === 'webhooks'
  const written = place.reduce((value: unknown, step) => Object(value)[step], yaml.value)
  const line = yaml.lineOf([...place, ...((isOfWebhook && findMention(written, mention)) || [])])
  return { line, fault: { code: 'value_faulty' as const, params: { name: String(place.at(-1)), rule } } }
}

function findMention(value: unknown, name: string): (string | number)[] | undefined {
  if (typeof value === 'string') return value.includes(name) ? [] : undefined
  for (const [key, part] of Object.entries(Object(value))) {
    const inside = key === name ? [] : findMention(part, name)
    if (inside) return [Array.isArray(value) ? Number(key) : key, ...inside]
  }
  return undefined
}
