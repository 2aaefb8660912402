import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listTexts } from '#scripts/words/list-texts.ts'
import { readTexts } from '#scripts/words/read-texts.ts'
import { PAGES, proseOf } from '../../support/documentation.ts'

const MOST_WORDS = [
  { of: 'label', keys: /[lL]abels?$|[lL]abels?\.|\.columns$/, most: 4 },
  { of: 'hint', keys: /[hH]ints?$|[hH]ints?\.|\.lead$/, most: 15 },
  { of: 'button', keys: /[bB]uttons?$|[bB]uttons?\./, most: 6 },
]

/** What no text says, and what to say instead. */
const BANNED: [pattern: RegExp, instead: string][] = [
  [/(?<!\bthere )\b(is|are) no (?!longer\b|more\b)/i, '"is not a …", or "there is no …"'],
  [/\bany ?more\b/i, '"no longer"'],
  [/\bstands?\b/i, '"is", "appears", or "is used"'],
  [
    /\b(?<!\b(?:select|send|each|the|new) |\{count\} )leads? (nowhere|to)\b/i,
    '"links to", "redirects to", "resolves to", or "is broken"',
  ],
  [/\bwhat (waits|came|stood|was|is to)\b/i, 'the noun: "pending deliveries", "your changes"'],
  [/\bsomebody\b/i, '"someone", or who it is'],
  [/\bso (many|much|long)\b/i, '"minimum", "maximum", or "limit"'],
  [/\b(by|of) itself\b|\bcomes? (by|again)\b/i, '"automatically", "scheduled", or "refreshes"'],
  [/\buntil now\b/i, '"current"'],
  [/\b(just now|for ever)\b/i, '"right now", or "forever"'],
  [/\bgoes? (with|together)\b/i, '"needs", or "can’t be combined with"'],
  [/\btakes? no\b|\btaken over\b/i, '"does not accept", or "synced"'],
  [/\be-mail/i, '"email"'],
  [/\bmistakes?\b/i, '"error"'],
  [/\bdecoy\b/i, '"hidden spam trap" on screens, "honeypot" in files'],
  [/\brobots?\b(?!\.txt)/i, '"bot"'],
  [/\bshort names?\b/i, '"slug"'],
  [/colour|organis|normalis|recognis|synchronis|\blicence(?!s\b)/i, 'the US spelling'],
]

/** What no screen of the admin says either. */
const BANNED_ON_SCREENS: [pattern: RegExp, instead: string][] = [
  [/(?<!search )\bterms?\b/i, '"place" or "category"'],
  [
    /\bis (saved|deleted|created|moved|uploaded|restored|discarded)\. |\bis (saved|deleted|moved)\.$/,
    '"… saved."',
  ],
]

/** Words of developers, on screens of people who run a business. */
const BANNED_FOR_OWNERS: [pattern: RegExp, instead: string][] = [
  [/\bslugs?\b/i, '"address"'],
  [/(?<!\/)\btaxonom(?:y|ies)\b(?!\/)/i, '"category list" or "category"'],
  [/\b(?!SPF_)[A-Z]{3,}_[A-Z]{3,}\b/, 'what happened, and put the variable behind "How to set this up"'],
]

/** The screens of content types, instructions for people who run the server, and reasons that commands print too. */
const FOR_DEVELOPERS = /^admin\/(?:content-types|webhooks\/(?:destinations|reasons)) |\b\w*[sS]etup$/

/** Texts with code: a template of JSON, and the syntax of a variable. */
const HAS_CODE = /^admin\/webhooks\/(webhook-editor .*(template|textFilter)|destinations )/

test('screens and emails have typographic quotes and apostrophes', async () => {
  const texts = (await allTexts()).filter(
    ({ place }) => /^(admin|mail)\//.test(place) && !HAS_CODE.test(place),
  )
  assert.deepEqual(
    texts.filter(({ text }) => /"|\w'\w|\w' /.test(text)),
    [],
  )
})

// Rows that `npm run soak` prints.
const OUTPUT = /\| (passed|not tested) +\|/

test('texts use the words of a native writer', async () => {
  const wrong = (await allTexts()).flatMap(({ place, text }) =>
    BANNED.filter(([pattern]) => pattern.test(text)).map(
      ([, instead]) => `${place}: "${text}": say ${instead}`,
    ),
  )
  assert.deepEqual(wrong, [])
})

test('owners’ screens have no words of developers', async () => {
  const wrong = (await allTexts())
    .filter(({ place }) => place.startsWith('admin/') && !FOR_DEVELOPERS.test(place))
    .flatMap(({ place, text }) =>
      BANNED_FOR_OWNERS.filter(([pattern]) => pattern.test(text.replace(/\{\w*\}/g, ''))).map(
        ([, instead]) => `${place}: "${text}": say ${instead}`,
      ),
    )
  assert.deepEqual(wrong, [])
})

test('screens name places, categories, and results consistently', async () => {
  const screens = (await allTexts()).filter(({ place }) => place.startsWith('admin/'))
  assert.ok(screens.length > 1_000, String(screens.length))
  const wrong = screens.flatMap(({ place, text }) => {
    const written = text.replace(/\{\w*\}/g, '')
    return BANNED_ON_SCREENS.filter(([pattern]) => pattern.test(written)).map(
      ([, instead]) => `${place}: "${text}": say ${instead}`,
    )
  })
  assert.deepEqual(wrong, [])
})

test('the documentation uses the words of a native writer', () => {
  const wrong = PAGES.flatMap((page) =>
    proseOf(page)
      .split(/\n\s*\n|\n(?=\|)/)
      .filter((text) => !OUTPUT.test(text))
      .flatMap((text) =>
        BANNED.filter(([pattern]) => pattern.test(text)).map(
          ([pattern, instead]) => `${page}: "${pattern.exec(text)?.[0]}" in "${text}": say ${instead}`,
        ),
      ),
  )
  assert.deepEqual(wrong, [])
})

test('labels have at most four words, and hints at most fifteen', async () => {
  const texts = await allTexts()
  for (const { of, keys, most } of MOST_WORDS) {
    const found = texts.filter(({ place }) => keys.test(place))
    assert.ok(found.length > 5, of)
    const long = found.filter(({ text }) => text.trim().split(/\s+/).length > most)
    assert.deepEqual(long, [], of)
  }
})

test('a text is listed with its named parameters and alternatives', () => {
  const source = `
    import { countOf } from '../plural.ts'
    const KEPT = 'Nothing was lost.'
    const LINKS = { one: 'link', other: 'links' }
    export const texts = {
      plain: 'Send',
      joined: (name: string) => \`Choose \${name.trim()}. \${KEPT}\`,
      counted: (links: number) => \`\${countOf(links, LINKS)} in \${links === 1 ? 'it' : 'them'}\`,
      missing: ({ reason }: { reason?: string }) => \`Not sent: \${reason ?? 'no reason'}\`,
    }
    export const nested = createMessages({ late: ({ names }: { names: 'a'[] }) => \`Late: \${names.join(' and ')}\` })
    const code = describe({ code: 'not_a_text' }) === 'no text'`
  assert.deepEqual(
    readTexts(source).map(({ key, text }) => `${key}: ${text}`),
    [
      'KEPT: Nothing was lost.',
      'LINKS.one: link',
      'LINKS.other: links',
      'texts.plain: Send',
      'texts.joined: Choose {name}. Nothing was lost.',
      'texts.counted: {links} links in [it|them]',
      'texts.missing: Not sent: [{reason}|no reason]',
      'nested.late: Late: {names}',
    ],
  )
})

async function allTexts() {
  const areas = [...(await listTexts())]
  return areas.flatMap(([area, texts]) => texts.map(({ key, text }) => ({ place: `${area} ${key}`, text })))
}
