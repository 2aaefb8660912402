import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  shownText,
  showsServiceText,
  withoutServiceText,
  withServiceText,
} from '#src/entries/offers/service-text.ts'

for (const { own, shows, shown, without, extended } of [
  { own: ' \n', shows: true, shown: 'S', without: '', extended: '{{service}}' },
  { own: 'Own \n', shows: false, shown: 'Own', without: 'Own', extended: 'Own\n\n{{service}}' },
  {
    ...{ own: 'A {{ service }} B', shows: true, shown: 'A\n\nS\n\nB' },
    ...{ without: 'A\n\nB', extended: 'A {{ service }} B' },
  },
  { own: '{{service}}', shows: true, shown: 'S', without: '', extended: '{{service}}' },
])
  test(`the text ${JSON.stringify(own)} of a local page with the text S of its service`, () => {
    assert.deepEqual(
      {
        shows: showsServiceText(own),
        shown: shownText(own, 'S'),
        without: withoutServiceText(own),
        extended: withServiceText(own),
      },
      { shows, shown, without, extended },
    )
  })
