import { checkMailReferences } from '../../forms/mails/check-mail-references.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { TemplateProblem } from '../../templates/check-template.ts'
import { type TemplateField, toTemplateField } from '../../templates/template-field.ts'
import {
  checkWebhookReferences,
  type ReferenceProblem,
  type WebhookDefinition,
} from '../../webhooks/definition/webhook-definition.ts'
import type { ContentDocument } from '../document.ts'
import { rawValue } from './parsed-file.ts'

/** Something that an email or a webhook of a form mentions and the form doesn't have. */
export interface MentionProblem {
  problem: TemplateProblem
  /** Path of the text or condition in the form's file. */
  place: (string | number)[]
  /** Equal for equal mentions in equal texts and conditions. */
  key: string
}

interface Mentioning {
  settings: Parameters<typeof checkMailReferences>[0]
  webhooks: readonly Pick<WebhookDefinition, ReferenceProblem['part']>[]
  fields: readonly TemplateField[]
}

/** Finds what the emails and webhooks of a form mention and the form doesn't have. */
export function findMentions({ settings, webhooks, fields }: Mentioning): MentionProblem[] {
  return [
    ...checkMailReferences(settings, fields).map(({ path, ...problem }) => {
      const text = path.reduce((value: unknown, step) => rawValue(value, String(step)), settings)
      return { problem, place: ['settings', ...path], key: keyOf(text, problem) }
    }),
    ...webhooks.flatMap((webhook, index) =>
      checkWebhookReferences(webhook, fields).map(({ part, ...problem }) => {
        return { problem, place: ['webhooks', index, part], key: keyOf(webhook[part], problem) }
      }),
    ),
  ]
}

/** Returns the keys of the mentions in a stored form. */
export function mentionsOf({
  definition: { fields, settings },
  webhooks,
}: Extract<ContentDocument, { kind: 'form' }>): string[] {
  const found = findMentions({ settings, webhooks, fields: fields.map(toTemplateField) })
  return found.map(({ key }) => key)
}

function keyOf(text: unknown, { code, mention }: TemplateProblem): string {
  return canonicalJson([code, mention, text])
}
