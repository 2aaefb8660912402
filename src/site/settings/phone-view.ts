import { toDialable } from '../../lib/locale/phone-number.ts'

/** A phone number as a page shows it. */
export interface PhoneView {
  /** As typed by its owner. */
  text: string
  /** E.164; null for a stored number that can't be dialed and is shown without a link. */
  dial: string | null
}

export interface LabeledPhone extends PhoneView {
  label: string
}

/** Returns a number for display. Without a country code, it is read as a number of `country`. */
export function toPhoneView(text: string, country: string): PhoneView {
  return { text, dial: toDialable(text, country) ?? null }
}
