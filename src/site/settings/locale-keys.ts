import { z } from 'zod'
import { isCountry } from '../../lib/locale/countries.ts'
import { isTimeZone, toLanguageTag } from '../../lib/locale/locale.ts'

// Optional, without defaults: settings stored before these keys have none and must not look edited to a sync.

export const countryKey = z
  .string()
  .toUpperCase()
  .refine(isCountry, 'expected a country code of two letters, such as IE')
  .optional()

export const languageKey = z
  .string()
  .refine((text) => toLanguageTag(text) !== undefined, 'expected a language code such as en, en-IE or ja')
  .overwrite((text) => toLanguageTag(text) ?? text)
  .optional()

export const timeZoneKey = z
  .string()
  .refine(isTimeZone, 'expected a time zone such as Europe/Dublin')
  .optional()
