import type { Db } from '../../db/schema.ts'
import { listForms } from '../../forms/form-store.ts'
import { COUNTRIES } from '../../lib/locale/countries.ts'
import { DEFAULT_COUNTRY, machineTimeZone } from '../../lib/locale/locale.ts'
import { settingsPage } from '../../messages/admin/settings/settings.ts'
import { type ShownSetting, spokenName } from '../../site/settings/setting-field.ts'

interface Choice {
  value: string
  label: string
}

/** Returns the choices for a setting with this `value`; undefined if it is typed. */
export async function choicesOf(setting: ShownSetting, value: string, db: Db): Promise<Choice[] | undefined> {
  const choices = await listChoices(setting, db)
  if (!choices) return undefined
  const { none } = setting.texts
  const known = none === undefined ? choices : [{ value: '', label: none }, ...choices]
  return known.some((choice) => choice.value === value) ? known : [...known, { value, label: value }]
}

async function listChoices({ choices, values, texts }: ShownSetting, db: Db): Promise<Choice[] | undefined> {
  switch (choices) {
    case 'countries': {
      const named = COUNTRIES.map(({ code, name }) => ({ value: code, label: name }))
      const usual = named.find(({ value }) => value === DEFAULT_COUNTRY)
      return [{ value: '', label: settingsPage.defaultCountry(usual?.label ?? '') }, ...named]
    }
    case 'forms':
      return (await listForms(db)).map(({ slug, name }) => ({ value: slug, label: name }))
    case 'pictures':
      return undefined
    case 'time_zones': {
      const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])
      const named = [...zones].map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))
      return [{ value: '', label: settingsPage.serverTimeZone(machineTimeZone()) }, ...named]
    }
    default:
      return values?.map((value) => ({ value, label: texts.choices?.[value] ?? spokenName(value) }))
  }
}
