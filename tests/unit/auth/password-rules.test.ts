import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countGuesses } from '#src/auth/passwords/count-guesses.ts'
import { findPasswordMistake, MIN_GUESSES_LOG10, wordsOf } from '#src/auth/passwords/password-rules.ts'

const own = ['ann', 'example', 'annexample', 'ann@example.com']

const isGuessed = (password: string) => countGuesses({ password, own }) < MIN_GUESSES_LOG10

// From lists of leaked passwords, of twelve characters and more, and variations that guessers try.
const GUESSED =
  `christopher1 q1w2e3r4t5y6 iloveyousomuch jesuschrist1 hellokitty123 manchesterunited harrypotter1
  metallica1234 michaeljackson liverpoolfc1 babygirl1234 chocolate123 123qweasdzxc mypassword123 football1234
  princess1234 1qaz2wsx3edc zaq12wsxcde3 slipknot1234 barcelona1234 playstation3 spongebob123 ilovejesus123
  iloveyouforever nopassword123 strawberry123 beautiful1234 trustno1trustno1 superman12345 butterfly1234
  blink182blink182 linkinpark123 justinbieber1 asdfghjkl123 1234567890qwe password1234 Password123! P@ssw0rd2026
  passwordpassword administrator1 Adm1n1str4tor 123456789012 111111111111 aaaaaaaaaaaa abcdefghijkl qwertyuiop123
  letmein12345 signpost-x7qm2 Welcome2026! qazwsxedcrfv abcabcabcabc signpost1234 annexample123 Ann@Example.com1 Summer2026!!
  987654321098`
    .trim()
    .split(/\s+/)

const GOOD = [
  'correct horse battery',
  'tangerine ladder fog',
  'xK9#mq2Lw8zT',
  'Wir gehen heute schwimmen',
  'äöüßéèêçñ你好世界',
  '!)%^&#(*)-_=+[{]}|;:',
  '🙂🌵🚲🎸🍞🔔🧲🪁🧦🪴🐌🧀',
]

test('easily guessed passwords are told apart from strong ones of any composition', () => {
  assert.deepEqual(
    GUESSED.filter((password) => !isGuessed(password)),
    [],
  )
  assert.deepEqual(GOOD.filter(isGuessed), [])
})

test('a repeated short text is weak, and a long password with a weak beginning isn’t', () => {
  assert.ok(isGuessed('P@ssw0rd'.repeat(16)))
  assert.ok(!isGuessed(`${'password'.repeat(6)} tangerine ladder fog kite`))
})

test('a password based on its user’s name and address is refused', async () => {
  const account = ['zorvex.plimquat@brundlix.example', 'Zo Zorvex Plimquat']
  assert.equal((await findPasswordMistake('ZorvexPlimquat1', account))?.code, 'password_common')
  assert.equal(await findPasswordMistake('tangerine ladder fog', account), undefined)
  const words = account.flatMap(wordsOf)
  for (const password of ['Plimquat20!6x', 'Brundlix2026!']) {
    assert.ok(countGuesses({ password, own: words }) < MIN_GUESSES_LOG10, password)
    assert.ok(countGuesses({ password, own: [] }) > MIN_GUESSES_LOG10, password)
  }
  assert.deepEqual(wordsOf('Zo Zorvex-Plimquat III'), [
    ...['Zo Zorvex-Plimquat III', 'ZorvexPlimquatIII', 'Zorvex', 'Plimquat', 'III'],
  ])
})

test('passwords have 12 to 128 characters', async () => {
  const long = (length: number) => `tangerine ladder fog ${'kite marble sofa '.repeat(8)}`.slice(0, length)
  for (const password of ['', 'xK9#mq2Lw8z'])
    assert.deepEqual((await findPasswordMistake(password))?.params, { min: 12 })
  assert.equal(await findPasswordMistake('xK9#mq2Lw8zT'), undefined)
  assert.equal(await findPasswordMistake(long(128)), undefined)
  assert.deepEqual((await findPasswordMistake(long(129)))?.params, { max: 128 })
  assert.equal(await findPasswordMistake(`${'🙂🌵🚲🎸🍞🔔🧲🪁🧦🪴🐌🧀'.repeat(10)}12345678`), undefined)
})
