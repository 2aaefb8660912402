import { numberOr } from '../lib/number-or.ts'
import { versionOf } from '../lib/outcome.ts'
import { postedText } from '../lib/posted-text.ts'
import { antiSpamRules } from './anti-spam.ts'
import type { DraftDefinition } from './edit-form.ts'
import type { Form } from './form.ts'
import type { FormDefinition } from './form-definition.ts'
import type { FormSettings } from './form-settings.ts'

const TEXTS = [
  'submit_label',
  'success_heading',
  'success_body',
  'redirect_url',
  'success_redirect',
  'notification_email',
  'honeypot',
] as const

/** Input names for a form: texts by key, with `settings.` before the keys of its settings. */
export type SettingsTexts = Readonly<Record<string, unknown>>

/** Returns the definition with the typed name, description, status, and settings. `editForm` checks it. */
export function withSettings(texts: SettingsTexts) {
  return (definition: FormDefinition): DraftDefinition => {
    const shown: SettingsTexts = textsOf(definition)
    const text = (name: string) =>
      postedText(String(texts[name] ?? ''), { stored: String(shown[name] ?? '') })
    return {
      name: text('name'),
      description: text('description') || null,
      status: text('status'),
      fields: definition.fields,
      settings: { ...definition.settings, ...changedSettings(definition.settings, text) },
    }
  }
}

/** Returns the texts that `withSettings` turns back into this form. */
export function toSettingsTexts(form: Form): Record<string, string> {
  return { slug: form.slug, ...textsOf(form) }
}

function textsOf({
  name,
  description,
  status,
  settings,
}: Pick<FormDefinition, 'name' | 'description' | 'status' | 'settings'>): Record<string, string> {
  const rules = antiSpamRules(settings)
  return {
    name,
    status,
    description: description ?? '',
    ...Object.fromEntries(TEXTS.map((key) => [`settings.${key}`, settings[key] ?? ''])),
    'settings.retention_days': String(settings.retention_days ?? ''),
    'settings.anti_spam': settings.anti_spam === false ? '' : 'on',
    'settings.anti_spam.max_links': Number.isFinite(rules.maxLinks) ? String(rules.maxLinks) : '',
    'settings.anti_spam.min_seconds': String(rules.minSeconds),
    'settings.anti_spam.proof_of_work': rules.needsProofOfWork ? 'on' : '',
  }
}

/** Returns a text that differs whenever the settings differ. */
export function settingsVersionOf(form: Form): string {
  return versionOf(toSettingsTexts(form))
}

// A missing key that stays empty is left out, so that saving without a change changes nothing.
function changedSettings(settings: FormSettings, text: (name: string) => string) {
  const days = text('settings.retention_days')
  const typed = {
    ...Object.fromEntries(TEXTS.map((key) => [key, text(`settings.${key}`) || null])),
    retention_days: days === '' ? null : numberOr(days),
    anti_spam: antiSpamOf(settings, text),
  }
  return Object.fromEntries(
    Object.entries(typed).filter(
      ([key, value]) => value !== null || settings[key as keyof FormSettings] !== undefined,
    ),
  )
}

function antiSpamOf(settings: FormSettings, text: (name: string) => string) {
  const isOn = text('settings.anti_spam') !== ''
  const links = text('settings.anti_spam.max_links')
  const typed = {
    max_links: links === '' ? null : numberOr(links),
    min_seconds: numberOr(text('settings.anti_spam.min_seconds') || '0'),
    proof_of_work: text('settings.anti_spam.proof_of_work') !== '',
  }
  if (!isOn) return false
  const before = antiSpamRules(settings)
  const isSame =
    settings.anti_spam !== false &&
    (typed.max_links ?? Number.POSITIVE_INFINITY) === before.maxLinks &&
    typed.min_seconds === before.minSeconds &&
    typed.proof_of_work === before.needsProofOfWork
  return isSame ? (settings.anti_spam ?? null) : typed
}
