import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listContentTypes } from '#src/entries/types/content-type-store.ts'
import { findBrokenLinks } from '#src/publish/addresses/find-broken-links.ts'
import { aPublishedSite } from '../../support/publishing.ts'
import { editEntry } from '../../support/small-edits.ts'
import { addEntry } from '../../support/small-site.ts'

test('broken links to addresses of the site are found with their field', async (t) => {
  const { db, dataDir, publish, service, now } = await aPublishedSite(t)
  const gone = await addEntry(db, 'pages', { slug: 'gone', title: 'Gone' })
  const options = { dataDir, siteUrl: 'https://example.com', types: await listContentTypes(db) }
  const find = async (text: unknown) => {
    const broken = await findBrokenLinks(db, [{ label: 'Text', text }], { ...options, now: now() })
    return broken.map(({ label, target }) => `${label} ${target}`)
  }
  assert.deepEqual(await find('[x](/nowhere)'), [], 'before the first publish, nothing is known')
  await publish()
  await editEntry(db, gone, { status: 'draft' })
  await addEntry(db, 'pages', { slug: 'new', title: 'New', redirectFrom: ['/older'] })
  await addEntry(db, 'pages', { slug: 'draft', title: 'Draft', status: 'draft' })
  const leading = [
    ...['/', '/services', '/services/ac-repair?from=a#top', '/services/ac-repair/dallas/', '/new', '/Older'],
    ...['/robots.txt', '/admin', 'https://example.com/new', 'https://elsewhere.example/nowhere'],
    ...['//elsewhere.example/nowhere', 'mailto:a@example.com', 'nowhere'],
  ]
  for (const address of leading) assert.deepEqual(await find(`[x](${address})`), [], address)
  assert.deepEqual(await find('![A van](/nowhere.jpg) and /nowhere'), [])
  const texts = [
    '[a](/nowhere) [b](</gone>)',
    { faq: ['<a href="/draft#x">', '[c]: /services/ac-repair/usa'] },
  ]
  assert.deepEqual(await find([...texts, '[d](https://example.com/nowhere/)']), [
    ...['Text /nowhere', 'Text /gone', 'Text /draft', 'Text /services/ac-repair/usa', 'Text /nowhere/'],
  ])
  await editEntry(db, service.id, { slug: 'cooling' })
  assert.deepEqual(await find('[x](/services/ac-repair)'), [], 'the next publish redirects it')
})
