import { z } from 'zod'
import { formDefinitionSchema } from '../forms/form-definition.ts'
import {
  checkWebhookReferences,
  type WebhookDefinition,
  webhookDefinition,
} from '../webhooks/webhook-definition.ts'
import type { LocatedYaml } from './located-yaml.ts'
import type { Mistake } from './mistake.ts'
import { type ParsedFile, rawText, rawValue, readWith, type YamlFile } from './parsed-file.ts'
import { readWebhooks } from './read-webhooks.ts'

const formFile = z.strictObject({
  ...formDefinitionSchema.shape,
  webhooks: z.array(webhookDefinition).nullish(),
})

/** Reads `forms/<slug>.yaml`: a form with its fields and webhooks (§2.1–2.3). */
export function parseForm({ path, slug, yaml, environment }: YamlFile): ParsedFile {
  const { rawForm, rawWebhooks } = splitForm(yaml.value)
  const form = readWith(formDefinitionSchema, yaml, { path, value: rawForm, known: formFile })
  const webhooks = readWebhooks(rawWebhooks, { path, yaml, environment, known: formFile })
  const mistakes = [
    ...form.mistakes,
    ...webhooks.mistakes,
    ...rawList(rawWebhooks).flatMap((webhook, index) =>
      checkWebhookReferences(readableParts(webhook), rawFieldNames(rawForm)).map((message) =>
        locate(message, { path, yaml, index }),
      ),
    ),
  ]
  const document =
    form.value && mistakes.length === 0
      ? { kind: 'form' as const, slug, definition: form.value, webhooks: webhooks.value ?? [] }
      : undefined
  return { path, document, references: webhooks.references, mistakes }
}

function splitForm(value: unknown): { rawForm: unknown; rawWebhooks: unknown } {
  if (typeof value !== 'object' || value === null) return { rawForm: value, rawWebhooks: undefined }
  const { webhooks: rawWebhooks, ...rawForm } = value as Record<string, unknown>
  return { rawForm, rawWebhooks }
}

// A webhook or field that is wrong in another way still has its references and its name.
function readableParts(webhook: unknown): Pick<WebhookDefinition, 'payload_template' | 'fire_on'> {
  const { payload_template, fire_on } = webhookDefinition.shape
  return {
    payload_template: payload_template.safeParse(rawValue(webhook, 'payload_template')).data ?? null,
    fire_on: fire_on.safeParse(rawValue(webhook, 'fire_on')).data ?? null,
  }
}

function rawFieldNames(rawForm: unknown): string[] {
  return rawList(rawValue(rawForm, 'fields')).flatMap((field) => rawText(field, 'name') ?? [])
}

function rawList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** The line on which a webhook names what `message` complains about. */
function locate(
  message: string,
  { path, yaml, index }: { path: string; yaml: LocatedYaml; index: number },
): Mistake {
  const [, key = '', name = ''] = /^(\w+) refers to "(.*?)"/.exec(message) ?? []
  const place = ['webhooks', index, key]
  const inside = findMention(rawValue(rawList(rawValue(yaml.value, 'webhooks'))[index], key), name) ?? []
  return { path, line: yaml.lineOf([...place, ...inside]), message }
}

function findMention(value: unknown, name: string): (string | number)[] | undefined {
  if (typeof value === 'string') return value.includes(name) ? [] : undefined
  for (const [key, part] of Object.entries(Object(value))) {
    const inside = key === name ? [] : findMention(part, name)
    if (inside) return [Array.isArray(value) ? Number(key) : key, ...inside]
  }
  return undefined
}
