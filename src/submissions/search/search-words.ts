import type { Answer } from '../../forms/answer.ts'
import type { Submission } from '../submission.ts'
import { contactMarks } from './contact-marks.ts'
import { MARK } from './mark.ts'

const MAX_WORDS = 400
const MAX_WORD_CHARACTERS = 40
// Shorter prefixes would match nearly everything; longer ones aren't indexed (migration 0023).
const MIN_PREFIX_CHARACTERS = 3
const MAX_INDEXED_PREFIX = 6
const MAX_QUERY_WORDS = 8
const MIN_PHONE_DIGITS = 6

type Indexed = Pick<Submission, 'answers' | 'serviceSlug' | 'serviceId' | 'locationName' | 'locationPath'>

/** Names of a submission's place and service, and its notes. */
export interface SurroundingTexts {
  /** Current names of its service, its place, and the places above. */
  names?: readonly string[]
  notes?: readonly string[]
  /** Its current place and the places above. */
  placeIds?: readonly number[]
}

/**
 * Lists the index words of a submission: the words of its answers and notes, each phone number as one word, the names
 * and slugs of its service and places, and their marks.
 */
export function searchableWords(
  { answers, serviceSlug, serviceId, locationName, locationPath }: Indexed,
  { names = [], notes = [], placeIds = [] }: SurroundingTexts = {},
): string {
  const slugs = locationPath?.split('/') ?? []
  const about = [...slugs, ...(serviceSlug ? [serviceSlug] : []), ...(locationName ? [locationName] : [])]
  const words = new Set([
    ...searchableParts(Object.values(answers).flatMap(textsOf)),
    ...[...about, ...names].flatMap(wordsOf),
    ...searchableParts(notes),
  ])
  const marks = [
    ...[...placeIds.map(placeMark), ...slugs.map(slugMark)],
    ...(serviceId ? [serviceMark(serviceId)] : []),
  ]
  return [...words, ...marks, ...new Set(contactMarks(answers))].join(' ')
}

/** A search word, matched whole or as a prefix. */
export interface SoughtWord {
  word: string
  isPrefix: boolean
}

/**
 * Returns the words of a search, all of which must match. Digits of a phone number may be grouped in any way. Long
 * words match whole words only, unless `loosely`.
 */
export function soughtWords(text: string, { loosely = false } = {}): SoughtWord[] {
  const phone = phoneOf(text)
  const words = phone.length > 0 && !/\p{L}/u.test(text) ? phone : wordsOf(text)
  const longest = loosely ? Number.POSITIVE_INFINITY : MAX_INDEXED_PREFIX
  return words.slice(0, MAX_QUERY_WORDS).map((word) => ({
    word,
    isPrefix: word.length >= MIN_PREFIX_CHARACTERS && word.length <= longest,
  }))
}

/** Returns true if a text has the word. */
export function hasWord(text: string, { word, isPrefix }: SoughtWord): boolean {
  return wordsOf(text).some((one) => (isPrefix ? one.startsWith(word) : one === word))
}

/** Returns the index word of a place, which never occurs in text. */
export function placeMark(id: number): string {
  return `${MARK}term${id}`
}

/** Returns the index word of a deleted place's name. */
export function slugMark(slug: string): string {
  return `${MARK}place${Buffer.from(slug).toString('hex')}`
}

/** Returns the index word of a service. */
export function serviceMark(id: number): string {
  return `${MARK}entry${id}`
}

/** Splits a text into words, the same on both engines however they treat accents and dots. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, MAX_WORD_CHARACTERS))
}

function searchableParts(texts: readonly string[]): string[] {
  const words = new Set(texts.flatMap((text) => [...wordsOf(text), ...phoneOf(text)]))
  return [...words].slice(0, MAX_WORDS)
}

function textsOf(answer: Answer): string[] {
  if (answer === null || typeof answer === 'boolean') return []
  if (Array.isArray(answer)) return answer
  return [typeof answer === 'object' ? answer.name : String(answer)]
}

function phoneOf(text: string): string[] {
  const numbers = text.match(/\+?\d[\d\s()./-]{4,30}\d/g) ?? []
  return numbers.map((number) => number.replace(/\D/g, '')).filter(({ length }) => length >= MIN_PHONE_DIGITS)
}
