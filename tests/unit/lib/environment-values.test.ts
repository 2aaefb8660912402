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

test('contract §3 ${NAME} is replaced from the environment, several times in one text', () => {
  assert.equal(
    fillFromEnvironment('https://${HOST}/${PATH_1}', { HOST: 'a.example', PATH_1: 'x' }),
    'https://a.example/x',
  )
})

test('a value is inserted literally, even if it looks like a variable', () => {
  assert.equal(fillFromEnvironment('${A}', { A: '${B}$&$1' }), '${B}$&$1')
})

test('contract §3 unset and empty variables are listed once', () => {
  assert.deepEqual(listUnsetNames('${A}${B}${A}${C}', { C: 'x', B: '' }), ['A', 'B'])
  assert.equal(fillFromEnvironment('${A}', {}), undefined)
})

test('a text without variables is unchanged', () => {
  assert.equal(fillFromEnvironment('$HOME {NAME} ${1}', {}), '$HOME {NAME} ${1}')
})

test('a text matches a template if the parts around the variables are equal', () => {
  assert.equal(fitsText('Bearer ${TOKEN}', 'Bearer abc'), true)
  assert.equal(fitsText('Bearer ${TOKEN}', 'Basic abc'), false)
  assert.equal(fitsText('a.b${X}', 'acb1'), false)
})

test('a text consists of variables if nothing between them could be a secret', () => {
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
