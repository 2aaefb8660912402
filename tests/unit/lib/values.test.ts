import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { camelCase } from '#src/lib/camel-case.ts'
import { compareText, orderOfNames } from '#src/lib/compare-text.ts'
import { localeOf, machineTimeZone, toLanguageTag } from '#src/lib/locale/locale.ts'
import { createMessages, createTexts, Failure } from '#src/lib/messages.ts'
import { numberOr } from '#src/lib/number-or.ts'
import { onceFor } from '#src/lib/once-for.ts'
import { findOutdated, versionOf } from '#src/lib/outcome.ts'

test('columns are named in camel case', () => {
  assert.deepEqual(['id', 'next_attempt_at', 'is_2fa'].map(camelCase), ['id', 'nextAttemptAt', 'is2fa'])
})

test('only the text of a number is read as one', () => {
  assert.deepEqual(['12', '-1.5', '', 'x', '1x'].map(numberOr), [12, -1.5, '', 'x', '1x'])
})

test('something is computed once per object', () => {
  let made = 0
  const numberOf = onceFor((_key: object) => {
    made += 1
    return made
  })
  const [one, two] = [{}, {}]
  assert.deepEqual([numberOf(one), numberOf(one), numberOf(two), numberOf(one)], [1, 1, 2, 1])
})

test('a change is outdated if it is based on another version', () => {
  const version = versionOf({ a: 1, b: 2 })
  assert.equal(versionOf({ b: 2, a: 1 }), version)
  assert.notEqual(versionOf({ a: 1, b: 3 }), version)
  assert.deepEqual(
    [undefined, version, 'other'].map((basedOn) => findOutdated(version, basedOn)),
    [undefined, undefined, { kind: 'outdated', version }],
  )
})

test('texts are compared by their characters, and names as their language does', () => {
  assert.deepEqual([compareText('a', 'b'), compareText('b', 'a'), compareText('a', 'a')], [-1, 1, 0])
  assert.deepEqual(['b', 'Z', 'a', 'é'].sort(compareText), ['Z', 'a', 'b', 'é'])
  assert.deepEqual(['b', 'Z', 'a', 'é'].sort(orderOfNames('en')), ['a', 'b', 'é', 'Z'])
})

test('a site has the time zone of the machine unless it has its own', () => {
  assert.equal(machineTimeZone(), new Intl.DateTimeFormat().resolvedOptions().timeZone)
  assert.deepEqual(localeOf({}), { country: 'US', language: 'en', timeZone: machineTimeZone() })
  const dublin = { country: 'IE', language: 'en-IE', timeZone: 'Europe/Dublin' }
  assert.deepEqual(localeOf({ ...dublin, time_zone: dublin.timeZone }), dublin)
})

test('a machine with an unknown time zone counts in UTC', () => {
  const code = `import('#src/lib/locale/locale.ts').then((locale) => console.log(locale.machineTimeZone()))`
  for (const TZ of ['Etc/Unknown', ':/nowhere']) {
    const env = { ...process.env, TZ }
    const { stdout, stderr } = spawnSync(process.execPath, ['--eval', code], { env, encoding: 'utf8' })
    assert.equal(stdout, 'UTC\n', stderr)
  }
})

test('a rare language has three letters', () => {
  assert.deepEqual(['qaa', 'jp', 'EN-ie', '-'].map(toLanguageTag), ['qaa', undefined, 'en-IE', undefined])
})

test('a message or text has its sentence, or its code if the sentence is unknown', () => {
  const describe = createMessages({ too_long: ({ most }: { most: number }) => `at most ${most}` })
  assert.equal(describe({ code: 'too_long', params: { most: 3 } }), 'at most 3')
  assert.equal(describe({ code: 'of_later' } as never), 'of_later')
  const texts = { plain: 'Gone', named: (name: string) => `${name} is gone` }
  const say = createTexts(texts)
  assert.deepEqual([say('plain', []), say('named', ['Ada'])], ['Gone', 'Ada is gone'])
  const failure = new Failure(texts, 'named', 'Ada')
  assert.deepEqual([failure.code, failure.parts, failure.message], ['named', ['Ada'], 'Ada is gone'])
})
