import { DEFAULT_COUNTRY } from '../../lib/locale/locale.ts'
import { toDialable } from '../../lib/locale/phone-number.ts'
import type { SiteSettings } from './site-settings.ts'

type Phones = Pick<SiteSettings, 'phone' | 'phones' | 'country'>

interface SettingPhone {
  /** As in `content/site.yaml`. */
  path: PropertyKey[]
  number: string
}

/** Lists every phone number in the settings. */
export function phonesOf({ phone, phones = [] }: Phones): SettingPhone[] {
  const further = phones.map(({ number }, index) => ({ path: ['phones', index, 'number'], number }))
  return [...(phone === null ? [] : [{ path: ['phone'], number: phone }]), ...further]
}

/** Lists the numbers that can't be dialed, so that pages show them without a link. */
export function undialablePhones(settings: Phones): SettingPhone[] {
  const country = settings.country ?? DEFAULT_COUNTRY
  return phonesOf(settings).filter(({ number }) => toDialable(number, country) === undefined)
}
