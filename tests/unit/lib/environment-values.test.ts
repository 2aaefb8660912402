// biome-ignore-all lint/suspicious/noTemplateCurlyInString: content files name values of the environment like this
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  fillFromEnvironment,
  fitsText,
  hasEnvironmentValue,
  isOnlyNames,
  listNames,
  listUnsetNames,
  literalsOf,
} from '#src/lib/environment-values.ts'

test('contract §3 ${NAME} is taken from the environment, several in one text included', () => {
  assert.equal(
    fillFromEnvironment('https://${HOST}/${PATH_1}', { HOST: 'a.example', PATH_1: 'x' }),
    'https://a.example/x',
  )
})

test('a value is taken as it is, also when it looks like a name or a replacement', () => {
  assert.equal(fillFromEnvironment('${A}', { A: '${B}$&$1' }), '${B}$&$1')
})

test('contract §3 names that are not set, or empty, are listed once', () => {
  assert.deepEqual(listUnsetNames('${A}${B}${A}${C}', { C: 'x', B: '' }), ['A', 'B'])
  assert.equal(fillFromEnvironment('${A}', {}), undefined)
})

test('a text without names stays as it is', () => {
  assert.equal(fillFromEnvironment('$HOME {NAME} ${1}', {}), '$HOME {NAME} ${1}')
})

test('a text fits a template when the parts around the names are the same', () => {
  assert.equal(fitsText('Bearer ${TOKEN}', 'Bearer abc'), true)
  assert.equal(fitsText('Bearer ${TOKEN}', 'Basic abc'), false)
  assert.equal(fitsText('a.b${X}', 'acb1'), false)
})

test('a text consists of names only when nothing between them could be a secret', () => {
  assert.deepEqual(['${USER}:${PASSWORD}', '${A}', 'Bearer ${A}', '${A}1', 'none', ': -'].map(isOnlyNames), [
    true,
    true,
    false,
    false,
    false,
    false,
  ])
  assert.deepEqual(['a ${B} c', '${1}', 'B'].map(hasEnvironmentValue), [true, false, false])
  assert.deepEqual(listNames('${B}${A}${B}'), ['B', 'A'])
  assert.deepEqual(literalsOf('a${B}c${D}'), ['a', 'c', ''])
})
