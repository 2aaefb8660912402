import { toDialable } from '../../lib/locale/phone-number.ts'

/** A phone number as a page shows it. */
export interface PhoneView {
  /** As its owner writes it. */
  text: string
  /** E.164; null for a stored number that cannot be dialed: it is shown without a link. */
  dial: string | null
}

export interface LabeledPhone extends PhoneView {
  label: string
}

/** Returns the number for a page; one without a country code belongs to `country`. */
export function toPhoneView(text: string, country: string): PhoneView {
  return { text, dial: toDialable(text, country) ?? null }
}
