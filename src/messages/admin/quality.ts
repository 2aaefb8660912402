import { countOf } from '../plural.ts'

const wordsOf = (words: number) => countOf(words, { one: 'word', other: 'words' })
const PLACES = { one: 'place', other: 'places' }

/** Facts that count toward the quality of a local page, and advice that would raise it. */
export const qualityFacts = {
  ownWords: (words: number) => `${wordsOf(words)} unique to this place`,
  copiedWords: ({ words, percent, path }: { words: number; percent: string; path: string }) =>
    `${wordsOf(words)} written for this place, ${percent} of them also on ${path}`,
  rewrite: (percent: string, path: string) => `Rewrite the text: ${percent} of it is also on ${path}`,
  writeMore: (words: number) =>
    `Write ${countOf(words, { one: 'more word', other: 'more words' })} unique to this place`,
  placeWords: (words: number) => `${wordsOf(words)} in the place’s description`,
  describePlace: (words: number) => `Under Service areas, describe the place in at least ${wordsOf(words)}`,
  review: 'a review by a local customer',
  otherReview: 'a local review of another service',
  noReview: 'no review by a local customer',
  addReview: 'Add a review of this service by a local customer',
  address: 'an address in this place',
  noAddress: 'no address in this place',
  addAddress: 'Add an address in this place, if you have one',
  phone: 'a local phone number',
  noPhone: 'no local phone number',
  addPhone: 'Add a phone number for this place',
  map: 'a map',
  noMap: 'no map',
  addMap: 'Add a map',
  links: (places: number) => `links to ${countOf(places, PLACES)} inside this place`,
  noLinks: 'no links to places inside this place',
  pageWords: (words: number) => `${wordsOf(words)} in total`,
  lengthenPage: (words: number) => `Write at least ${wordsOf(words)} on the page`,
}
