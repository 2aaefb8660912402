const MIN_CHARACTERS = 12
const MAX_CHARACTERS = 128

// What must be left of a password when everything that guessers try first is taken out of it.
const MIN_OWN_CHARACTERS = 4
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qazwsxedcrfv',
  '1q2w3e4r5t6y7u8i9o0p',
]
const WORDS = [
  ...[
    'password',
    'passwort',
    'passwd',
    'pass',
    'letmein',
    'welcome',
    'administrator',
    'admin',
    'signpost',
    'login',
  ],
  ...[
    'secret',
    'changeme',
    'change',
    'default',
    'master',
    'root',
    'user',
    'test',
    'guest',
    'hello',
    'access',
    'temp',
  ],
  ...[
    'iloveyou',
    'love',
    'lovely',
    'baby',
    'angel',
    'princess',
    'sunshine',
    'flower',
    'monkey',
    'dragon',
    'tiger',
  ],
  ...[
    'football',
    'baseball',
    'basketball',
    'soccer',
    'hockey',
    'liverpool',
    'chelsea',
    'arsenal',
    'barcelona',
  ],
  ...[
    'superman',
    'batman',
    'spiderman',
    'pokemon',
    'starwars',
    'naruto',
    'ninja',
    'shadow',
    'killer',
    'freedom',
  ],
  ...[
    'whatever',
    'trustno',
    'computer',
    'internet',
    'google',
    'facebook',
    'samsung',
    'apple',
    'windows',
    'server',
  ],
  ...[
    'michael',
    'michelle',
    'jessica',
    'jennifer',
    'ashley',
    'daniel',
    'charlie',
    'thomas',
    'jordan',
    'nicole',
  ],
  ...[
    'summer',
    'winter',
    'spring',
    'autumn',
    'monday',
    'friday',
    'january',
    'october',
    'december',
    'company',
  ],
  ...['chocolate', 'cookie', 'cheese', 'pepper', 'ginger', 'purple', 'orange', 'silver', 'golden', 'diamond'],
  ...[
    'business',
    'website',
    'office',
    'service',
    'services',
    'money',
    'mustang',
    'harley',
    'ferrari',
    'mercedes',
  ],
]
const LOOKALIKES: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
}

/** What is wrong with a new password, in a sentence; undefined when it is good. `own` are words a guesser knows too. */
export function findPasswordMistake(password: string, own: readonly string[] = []): string | undefined {
  const { length } = [...password]
  if (length < MIN_CHARACTERS) return `Use at least ${MIN_CHARACTERS} characters.`
  if (length > MAX_CHARACTERS) return `Use at most ${MAX_CHARACTERS} characters.`
  if (isCommon(password.toLowerCase(), own.flatMap(wordsOf))) {
    return 'That is among the first passwords that are tried. Take a few unrelated words instead.'
  }
  return undefined
}

function isCommon(password: string, own: readonly string[]): boolean {
  const words = [...WORDS, ...own].sort((a, b) => b.length - a.length)
  const plain = withoutAll(password, words)
  const disguised = withoutAll(
    password.replace(/[@4310!$5]/g, (sign) => LOOKALIKES[sign] ?? sign),
    words,
  )
  return Math.min(distinctLeft(plain), distinctLeft(disguised)) < MIN_OWN_CHARACTERS
}

function withoutAll(text: string, words: readonly string[]): string {
  return words.reduce((left, word) => left.replaceAll(word, ' '), text)
}

// Runs along the alphabet or a keyboard, forwards or backwards, years, repetition and punctuation are nobody's own.
function distinctLeft(text: string): number {
  const lines = ROWS.flatMap((row) => [row, [...row].reverse().join('')])
  const runs = lines.flatMap((line) => [...line].map((_, start) => line.slice(start, start + 3)))
  const left = text.replace(/(19|20)\d\d/g, ' ').replace(/(.)\1\1+/g, ' ')
  const marked = [...left].filter((_, at) => !runs.some((run) => run.length === 3 && isPartOf(left, at, run)))
  return new Set(marked.filter((character) => /[\p{L}\p{N}]/u.test(character))).size
}

function isPartOf(text: string, at: number, run: string): boolean {
  return [0, 1, 2].some((offset) => text.startsWith(run, at - offset) && at >= offset)
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 3)
}
