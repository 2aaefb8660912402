import { createInterface } from 'node:readline'
import { isInvisible } from '../../src/lib/characters.ts'
import { isCountry } from '../../src/lib/locale/countries.ts'
import { toDialable } from '../../src/lib/locale/phone-number.ts'
import { Failure } from '../../src/lib/messages.ts'
import { slugOf } from '../../src/lib/slug.ts'
import { newSiteQuestions, newSiteTexts, starterTexts } from '../../src/messages/command-line/new-site.ts'
import { dialableNumber } from '../../src/messages/phone-number.ts'

/** Facts about a business that a new site needs. */
export interface Answers {
  name: string
  trade: Trade
  /** `US` */
  country: string
  phone: string
  places: string[]
  /** Empty without one. */
  address: string
}

type Trade = keyof typeof starterTexts.trades

interface Question {
  text: string
  /** Used if the answer is empty. The phone number belongs to nobody. */
  suggestion: string
  /** Throws `Failure` with the reason if the answer is invalid. */
  read(answer: string): Partial<Answers>
}

const TRADES = Object.keys(starterTexts.trades)

const QUESTIONS: readonly Question[] = [
  { text: newSiteQuestions.name, suggestion: 'Front Range Plumbing', read: readName },
  { text: newSiteQuestions.trade(TRADES.join(', ')), suggestion: 'plumbing', read: readTrade },
  { text: newSiteQuestions.contact, suggestion: 'US (303) 555-0142', read: readContact },
  { text: newSiteQuestions.places, suggestion: 'Denver, Aurora, Boulder', read: readPlaces },
  { text: newSiteQuestions.address, suggestion: '', read: (address) => ({ address }) },
]

/** The suggested answers, for `--yes`. */
export function suggestedAnswers(): Answers {
  return gather(QUESTIONS.map(({ suggestion, read }) => read(suggestion)))
}

/**
 * Asks the five questions, repeating each until its answer is valid. Takes one line of `input` per answer. Throws if
 * `input` ends early.
 */
export async function askQuestions(
  input: NodeJS.ReadableStream & { isTTY?: boolean },
  output: NodeJS.WritableStream,
): Promise<Answers> {
  const terminal = createInterface({ input, output, terminal: input.isTTY === true })
  const lines = terminal[Symbol.asyncIterator]()
  const nextLine = async (prompt: string) => {
    terminal.setPrompt(prompt)
    terminal.prompt()
    const { value, done } = await lines.next()
    if (done) throw new Failure(newSiteTexts, input.isTTY ? 'gaveUp' : 'noTerminal')
    return value.trim()
  }
  try {
    const parts: Partial<Answers>[] = []
    for (const question of QUESTIONS) parts.push(await ask(question, nextLine, output))
    return gather(parts)
  } finally {
    terminal.close()
  }
}

async function ask(
  { text, suggestion, read }: Question,
  nextLine: (prompt: string) => Promise<string>,
  output: NodeJS.WritableStream,
): Promise<Partial<Answers>> {
  for (;;) {
    const answer = (await nextLine(newSiteTexts.answer(text, suggestion))) || suggestion
    try {
      return read(answer)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      output.write(`${error.message}\n`)
    }
  }
}

function gather(parts: readonly Partial<Answers>[]): Answers {
  return Object.assign({}, ...parts)
}

function readName(name: string): Partial<Answers> {
  if (isInvisible(name)) throw new Failure(newSiteTexts, 'nameMissing')
  return { name }
}

function readTrade(answer: string): Partial<Answers> {
  const trade = answer.toLowerCase()
  if (isTrade(trade)) return { trade }
  throw new Failure(newSiteTexts, 'tradeUnknown', answer, TRADES.join(', '))
}

function isTrade(trade: string): trade is Trade {
  return TRADES.includes(trade)
}

function readContact(answer: string): Partial<Answers> {
  const [, code = '', phone = ''] = /^([A-Za-z]{2})\s+(.+)$/.exec(answer) ?? []
  const country = code.toUpperCase()
  if (!isCountry(country)) throw new Failure(newSiteTexts, 'countryMissing', answer)
  if (toDialable(phone, country) === undefined)
    throw new Failure(newSiteTexts, 'undialable', phone, dialableNumber(country))
  return { country, phone }
}

function readPlaces(answer: string): Partial<Answers> {
  const places = answer.split(',').flatMap((place) => place.trim() || [])
  if (places.length === 0) throw new Failure(newSiteTexts, 'placesMissing')
  const slugs = places.map(slugOf)
  const unnamed = places.find((_, at) => slugs[at] === '')
  if (unnamed !== undefined) throw new Failure(newSiteTexts, 'placeWithoutSlug', unnamed)
  const repeated = places.find((_, at) => slugs.indexOf(slugs[at] ?? '') !== at)
  if (repeated !== undefined) throw new Failure(newSiteTexts, 'placeRepeated', repeated)
  return { places }
}
