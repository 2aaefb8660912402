import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCountry } from '#src/lib/locale/countries.ts'
import {
  isTimeZone,
  localeOf,
  openGraphLocale,
  textDirection,
  toLanguageTag,
} from '#src/lib/locale/locale.ts'

test('a language tag is known and canonical', () => {
  const tags = ['en', 'EN-ie', 'zh-hant-tw', 'ga', 'haw', 'jp', 'cn', 'english', 'en_US', '', 'x-own']
  const read = ['en', 'en-IE', 'zh-Hant-TW', 'ga', 'haw', ...Array(6).fill(undefined)]
  assert.deepEqual(tags.map(toLanguageTag), read)
})

test('a time zone is a name; offsets and abbreviations are refused', () => {
  const names = ['Europe/Dublin', 'UTC', 'America/Argentina/Ushuaia', '+01:00', 'Mars/Olympus', 'Z', '']
  assert.deepEqual(names.map(isTimeZone), [true, true, true, false, false, false, false])
})

test('a country is an ISO code with a calling code', () => {
  assert.deepEqual(['IE', 'JP', 'GB', 'UK', 'ie', 'EU', 'ZZ'].map(isCountry), [
    ...[true, true, true],
    ...[false, false, false, false],
  ])
})

test('right-to-left languages are recognized by their script', () => {
  const languages = ['ar', 'he', 'fa-IR', 'az-Arab', 'ckb', 'en', 'ja', 'az']
  assert.deepEqual(languages.map(textDirection), [...Array(5).fill('rtl'), ...Array(3).fill('ltr')])
})

test('unset values have their defaults', () => {
  assert.deepEqual(localeOf({ time_zone: 'Asia/Tokyo' }), {
    country: 'US',
    language: 'en',
    timeZone: 'Asia/Tokyo',
  })
  assert.ok(isTimeZone(localeOf({}).timeZone))
})

test('the locale of Open Graph has a region: that of the language, of the country, or the usual one', () => {
  const locales = [
    openGraphLocale('en-IE', 'US'),
    openGraphLocale('en', 'IE'),
    openGraphLocale('ja', null),
    openGraphLocale('zh-Hant-TW', null),
  ]
  assert.deepEqual(locales, ['en_IE', 'en_IE', 'ja_JP', 'zh_TW'])
})
