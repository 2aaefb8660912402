import type { AstroGlobal } from 'astro'
import { type ChangeOutcome, settingsVersion } from '../../site/settings/change-site-settings.ts'
import type { SiteSettings } from '../../site/settings/site-settings.ts'
import type { FormValue } from '../kit/admin-form.ts'
import { toMistake } from './setting-mistakes.ts'
import { changesOf, toFormValues } from './settings-form.ts'

const OUTDATED =
  'Somebody else changed the settings meanwhile. What you typed stands below, theirs is kept: open the page again in another window, compare, and save here.'

/** The form of the settings: as they are on a GET, as it was typed on a POST, with what is wrong. */
export function receiveSettings(
  astro: Pick<AstroGlobal, 'response'>,
  settings: SiteSettings,
  posted: Record<string, FormValue> | undefined,
) {
  const errors: Record<string, string[]> = {}
  const fail = (field: string, message: string) => {
    errors[field] = [...(errors[field] ?? []), message]
  }
  return {
    values: posted ?? toFormValues(settings),
    errors,
    input: posted && {
      changes: changesOf(posted, settings),
      basedOn: String(posted.based_on ?? settingsVersion(settings)),
    },
    /** Says what is wrong, at the fields, and answers with 422; with 409 when somebody else saved meanwhile. */
    refuse(outcome: Exclude<ChangeOutcome, { kind: 'saved' }>) {
      astro.response.status = outcome.kind === 'outdated' ? 409 : 422
      if (outcome.kind === 'outdated') return fail('', OUTDATED)
      for (const issue of outcome.issues) {
        const { field, message } = toMistake(issue)
        fail(field, message)
      }
    },
  }
}
