import { z } from 'zod'
import { isCountry } from '../../lib/locale/countries.ts'
import { isTimeZone, toLanguageTag } from '../../lib/locale/locale.ts'
import { rule } from '../../messages/files/rules/schema-rule.ts'

// Optional, without defaults: settings stored before these keys have none and must not look edited to a sync.

export const countryKey = z.string().toUpperCase().refine(isCountry, rule('country_code')).optional()

export const languageKey = z
  .string()
  .refine((text) => toLanguageTag(text) !== undefined, rule('language_code'))
  .overwrite((text) => toLanguageTag(text) ?? text)
  .optional()

export const timeZoneKey = z.string().refine(isTimeZone, rule('time_zone')).optional()
