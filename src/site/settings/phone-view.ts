import { toDialable } from '../../lib/locale/phone-number.ts'

/** A phone number as a page shows it. */
export interface PhoneView {
  /** The number as entered. */
  text: string
  /** The number in E.164 format; null if the number can't be dialed and is shown without a link. */
  dial: string | null
}

export interface LabeledPhone extends PhoneView {
  label: string
}

/** Returns a number for display. Without a country code, it is read as a number of `country`. */
export function toPhoneView(text: string, country: string): PhoneView {
  return { text, dial: toDialable(text, country) ?? null }
}
