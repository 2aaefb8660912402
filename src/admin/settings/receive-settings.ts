import type { AstroGlobal } from 'astro'
import type { z } from 'zod'
import { can } from '../../auth/roles/capabilities.ts'
import { draftTexts } from '../../messages/admin/history/versions.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { settingsPage as texts } from '../../messages/admin/settings/settings.ts'
import { REPEATED } from '../../publish/notices/old-uses.ts'
import {
  type EditedSettings,
  findEditedSettings,
  saveEditedSettings,
  saveSettingsDraft,
} from '../../site/settings/settings-draft.ts'
import type { siteSettings } from '../../site/settings/site-settings.ts'
import { savingBy } from '../audit/saving-by.ts'
import { type AdminForm, POSTED, receiveForm } from '../kit/admin-form.ts'
import { answerChange } from '../kit/answer-change.ts'
import { appOf, finish, getAdministrator } from '../kit/page-context.ts'
import { shareAddress } from '../versions/share-address.ts'
import { toMistake } from './setting-mistakes.ts'
import { changesOf, nameChanges, toFormValues } from './settings-form.ts'
import { SETTINGS_SCREEN, type SettingsScreen } from './settings-screen.ts'

type Changes = Partial<z.input<typeof siteSettings>>
type Context = Pick<AstroGlobal, 'request' | 'response' | 'params' | 'url' | 'locals' | 'cookies' | 'rewrite'>

/** The form of the settings, filled from their draft if there is one. */
export interface SettingsForm {
  form: AdminForm<Changes>
  edited: EditedSettings
}

const DRAFT_ACTS = new Set(['draft', 'share'])

/**
 * Loads the form of a screen of the settings, and saves them or their draft if valid values were posted. Otherwise
 * returns the response to give.
 */
export async function receiveSettings(
  astro: Context,
  screen: SettingsScreen,
): Promise<SettingsForm | Response> {
  const edited = await findEditedSettings(appOf(astro).db)
  const reader = POSTED.transform((posted) => {
    const changes = Object.entries(changesOf(posted, edited.settings))
    return Object.fromEntries(changes.filter(([name]) => maySee(astro, name))) as Changes
  })
  const values = { ...toFormValues(edited.settings), based_on: edited.stamp }
  const form = await receiveForm(astro, reader, values)
  if (!form.input) return { form, edited }
  const isDraft = DRAFT_ACTS.has(String(form.values.act))
  const answer = await (isDraft ? saveDraft : save)(astro, { form, edited, screen }, form.input)
  return answer ?? { form, edited }
}

/** Returns false for settings that only owners see: code on every page could act as any owner who visits it. */
export function maySee(astro: Pick<AstroGlobal, 'locals'>, name: string): boolean {
  return name.split('.')[0] !== 'tags' || mayChangeTags(astro)
}

/** Returns whether the user may change the tags of other services. */
export function mayChangeTags(astro: Pick<AstroGlobal, 'locals'>): boolean {
  return can(getAdministrator(astro), 'rule_site')
}

const MISTAKES = {
  thing: texts.thing,
  // Users who may not change the tags have no input for them.
  inputOf: (problem: AdminProblem) => (problem.code === 'tags_of_owners' ? '' : toMistake(problem).field),
  describe: (problem: AdminProblem) => toMistake(problem).message,
}

type Received = SettingsForm & { screen: SettingsScreen }

async function save(astro: Context, { form, edited, screen }: Received, changes: Changes) {
  const { saved, settings } = edited
  const wanted = { changes, basedOn: form.basedOn, mayChangeTags: mayChangeTags(astro) }
  const outcome = await saveEditedSettings(appOf(astro).db, wanted, savingBy(astro))
  return answerChange(astro, form, outcome, {
    ...MISTAKES,
    saved: (changed) => {
      const isChanged = changed.length > 0
      const summary = texts.activity(nameChanges({ ...settings, ...changes }, saved).join(', '))
      const change = isChanged && ({ action: 'settings.changed', id: 'site', summary } as const)
      const text = isChanged ? screen.texts.saved : texts.unchanged
      return finish(astro, change, { to: addressAfter(screen, changed), text })
    },
  })
}

// Settings warns about texts that repeat the former value, and opens at the warning.
function addressAfter({ href }: SettingsScreen, changed: readonly string[]): string {
  const isReplaced = REPEATED.some((setting) => changed.includes(setting))
  return isReplaced ? `${SETTINGS_SCREEN.href}#old-uses` : href
}

async function saveDraft(astro: Context, { form, screen }: Received, changes: Changes) {
  const wanted = { changes, basedOn: form.basedOn }
  const outcome = await saveSettingsDraft(appOf(astro).db, wanted, savingBy(astro))
  return answerChange(astro, form, outcome, {
    ...MISTAKES,
    saved: (changed) => {
      const isChanged = changed.length > 0
      const change =
        isChanged && ({ action: 'settings.draft_saved', id: 'site', summary: texts.draftSaved } as const)
      const text = isChanged ? draftTexts.saved(screen.texts.title) : texts.unchanged
      const to = form.values.act === 'share' ? shareAddress('setting', 'site') : screen.href
      return finish(astro, change, { to, text })
    },
  })
}
