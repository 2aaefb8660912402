import { createInterface } from 'node:readline/promises'
import { Failure } from '../../src/lib/messages.ts'
import { newSiteQuestions, newSiteTexts, starterTexts } from '../../src/messages/command-line/new-site.ts'

/** Facts of a business that a new site needs. */
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

const TRADES = Object.keys(starterTexts.trades)
/** The answers of `--yes`. The phone number is one of those that nobody has. */
const SUGGESTED = {
  name: 'Front Range Plumbing',
  trade: 'plumbing',
  contact: 'US (303) 555-0142',
  places: 'Denver, Aurora, Boulder',
  address: '',
}

/** The suggested answers, for `--yes`. */
export function suggestedAnswers(): Answers {
  return readAnswers(SUGGESTED)
}

/** Asks the five questions on a terminal. Throws where nobody can answer, or when an answer is invalid. */
export async function askQuestions(): Promise<Answers> {
  if (!process.stdin.isTTY) throw new Failure(newSiteTexts, 'noTerminal')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const ask = async (question: string, suggestion: string) =>
    (await terminal.question(newSiteTexts.answer(question, suggestion))).trim() || suggestion
  try {
    return readAnswers({
      name: await ask(newSiteQuestions.name, SUGGESTED.name),
      trade: await ask(newSiteQuestions.trade(TRADES.join(', ')), SUGGESTED.trade),
      contact: await ask(newSiteQuestions.contact, SUGGESTED.contact),
      places: await ask(newSiteQuestions.places, SUGGESTED.places),
      address: await ask(newSiteQuestions.address, SUGGESTED.address),
    })
  } finally {
    terminal.close()
  }
}

function readAnswers({ name, trade, contact, places, address }: typeof SUGGESTED): Answers {
  if (!isTrade(trade)) throw new Failure(newSiteTexts, 'tradeUnknown', trade, TRADES.join(', '))
  const [, country, phone] = /^([A-Za-z]{2})\s+(.+)$/.exec(contact) ?? []
  if (country === undefined || phone === undefined) throw new Failure(newSiteTexts, 'countryMissing', contact)
  const named = places.split(',').flatMap((place) => place.trim() || [])
  if (named.length === 0) throw new Failure(newSiteTexts, 'placesMissing')
  return { name, trade, country: country.toUpperCase(), phone, places: named, address }
}

function isTrade(trade: string): trade is Trade {
  return TRADES.includes(trade)
}
