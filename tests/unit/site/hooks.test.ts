import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { PROGRAM_DIR } from '#src/lib/program/folders.ts'
import { type PublishHooks, withPublishHooks } from '#src/publish/publish-hooks.ts'
import type { PublishOutcome } from '#src/publish/record-publish.ts'
import type { PublishedRelease } from '#src/site/hooks/hooks.ts'
import { loadHooks } from '#src/site/hooks/load-hooks.ts'
import { ownHead } from '#src/site/hooks/own-head.ts'
import type { PageView } from '#src/site/pages/page.ts'
import { temporaryFolder } from '../../support/database.ts'

const HOOKS = pathToFileURL(join(PROGRAM_DIR, 'src/site/hooks/hooks.ts')).href

function loadFrom(t: TestContext, text: string) {
  const site = temporaryFolder(t)
  mkdirSync(join(site, 'src'))
  writeFileSync(join(site, 'package.json'), '{"type":"module"}')
  writeFileSync(join(site, 'src/hooks.ts'), `import { defineHooks } from '${HOOKS}'\n${text}\n`)
  return loadHooks(site)
}

function aView(tags: PageView['layout']['tags'] = null): PageView {
  return { layout: { siteName: 'Acme', tags }, head: { title: 'AC repair' } } as PageView
}

test('the hooks of a site are those of its src/hooks.ts', (t) => {
  const hooks = loadFrom(t, `export default defineHooks({ head: (view) => view.head.title })`)
  assert.equal(hooks.head?.(aView()), 'AC repair')
  assert.deepEqual(loadHooks(temporaryFolder(t)), {})
})

test('an invalid hooks file is reported with the reason', (t) => {
  const wrong: [string, RegExp][] = [
    [`throw new Error('no key')`, /^src\/hooks\.ts can’t be loaded: no key$/],
    [`export const head = () => ''`, /^src\/hooks\.ts has no hooks/],
    [
      `export default defineHooks({ onPost() {} })`,
      /^src\/hooks\.ts: "onPost" is not a hook.*beforeSubmission/,
    ],
    [`export default defineHooks({ head: '<meta>' })`, /^src\/hooks\.ts: the hook head is not a function$/],
  ]
  for (const [text, message] of wrong) assert.throws(() => loadFrom(t, text), { message })
})

test('a head hook may run its scripts and load from its origins, beside the tags', () => {
  const tags = { head: '', body: '', policy: 'script-src https://a.example' }
  const head = (view: PageView) =>
    `<meta name="x" content="${view.layout.siteName}"><script>1</script><script src="https://b.example/x.js"></script>`
  const own = ownHead(aView(tags), { head, jsonLd: () => [{ '@type': 'Event', name: '</script>' }] })
  assert.match(own?.html ?? '', /content="Acme"/)
  assert.match(own?.policy ?? '', /script-src https:\/\/a\.example sha256-\S+ https:\/\/b\.example/)
  assert.deepEqual(own?.jsonLd, [
    '{"@context":"https://schema.org","@type":"Event","name":"\\u003c/script>"}',
  ])
  assert.equal(ownHead(aView(), { afterPublish() {} }), null)
  assert.throws(() => ownHead(aView(), { head: () => 1 as never }), /string of HTML/)
  assert.throws(() => ownHead(aView(), { jsonLd: () => ['x'] as never }), /list of objects/)
})

test('a publish runs between its hooks: the first can stop it, the second only reports', async (t) => {
  const dir = temporaryFolder(t)
  writeFileSync(
    join(dir, 'changes.tsv'),
    'added\t/a\tentry:1\t\nsame\t/b\tentry:2\t\nremoved\t/c\tentry:3\t\n',
  )
  let published = 0
  const publish = (hooks: PublishHooks, kind: PublishOutcome['kind'] = 'published') =>
    withPublishHooks(hooks, async () => {
      published += 1
      return {
        kind,
        release: { id: 'r1', dir, siteDir: dir },
        problems: ['late'],
      } as unknown as PublishOutcome
    })
  const seen: PublishedRelease[] = []
  const afterPublish = (release: PublishedRelease) => void seen.push(release)
  await publish({ afterPublish })
  await publish({ afterPublish }, 'unchanged')
  const [added, removed] = [
    { change: 'added', path: '/a' },
    { change: 'removed', path: '/c' },
  ]
  assert.deepEqual(seen, [{ releaseId: 'r1', changes: [added, removed] }])

  const fail = () => Promise.reject(new Error('no cache'))
  assert.deepEqual((await publish({ afterPublish: fail })).problems, [
    'late',
    'The hook afterPublish failed: no cache',
  ])
  published = 0
  await assert.rejects(publish({ beforePublish: fail }), /beforePublish failed: no cache/)
  assert.equal(published, 0)
})
