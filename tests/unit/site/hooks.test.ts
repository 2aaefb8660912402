import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { PROGRAM_DIR } from '#src/lib/program/folders.ts'
import { publishHooksOf, withPublishHooks } from '#src/publish/publish-hooks.ts'
import type { PublishOutcome } from '#src/publish/record-publish.ts'
import { hookPlace } from '#src/site/hooks/hook-failure.ts'
import type { PublishedRelease } from '#src/site/hooks/hooks.ts'
import { loadHooks } from '#src/site/hooks/load-hooks.ts'
import { ownHead } from '#src/site/hooks/own-head.ts'
import type { PageView } from '#src/site/pages/page.ts'
import { temporaryFolder } from '../../support/database.ts'

const HOOKS = pathToFileURL(join(PROGRAM_DIR, 'src/site/hooks/hooks.ts')).href

function aSite(t: TestContext, text: string): string {
  const site = temporaryFolder(t)
  mkdirSync(join(site, 'src'))
  writeFileSync(join(site, 'package.json'), '{"type":"module"}')
  writeFileSync(join(site, 'src/hooks.ts'), `import { defineHooks } from '${HOOKS}'\n${text}\n`)
  return site
}

const loadFrom = (t: TestContext, text: string) => loadHooks(aSite(t, text))

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
    [`throw new Error('no key')`, /^src\/hooks\.ts:2 can’t be loaded: no key$/],
    [`\nconst a = (`, /^src\/hooks\.ts:3 can’t be loaded: Expression expected$/],
    [`export const head = () => ''`, /^src\/hooks\.ts does not define hooks/],
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
})

test('a hook adds only its own part of the head', () => {
  const head = () => '<meta name="a">\n\n<!-- b -->\n'
  assert.deepEqual(ownHead(aView(), { head }), { html: head(), jsonLd: [], policy: '' })
  const jsonLd = () => [{ '@type': 'Event' }]
  const object = '{"@context":"https://schema.org","@type":"Event"}'
  assert.deepEqual(ownHead(aView(), { jsonLd }), { html: '', jsonLd: [object], policy: '' })
  const nothing = { head: () => undefined, jsonLd: () => undefined } as never
  assert.deepEqual(ownHead(aView(), nothing), { html: '', jsonLd: [], policy: '' })
})

test('a hook of a page that fails is named with its file', (t) => {
  const wrong: [string, RegExp][] = [
    ['head: () => 1', /^The hook head in src\/hooks\.ts failed: It must return a string of HTML$/],
    ['jsonLd: () => ({})', /^The hook jsonLd in .*It must return a list of objects$/],
    ['jsonLd: () => [null]', /^The hook jsonLd in .*It must return a list of objects$/],
    ['jsonLd: () => ["x"]', /^The hook jsonLd in .*It must return a list of objects$/],
    ['jsonLd: () => [{ id: 1n }]', /^The hook jsonLd in .*BigInt/],
    [
      `head(view) {\n    throw new Error(view.head.title)\n  }`,
      /^The hook head in src\/hooks\.ts:4 failed: AC repair$/,
    ],
    [
      'head: () => "<meta name=a></head><body>"',
      /^The hook head in src\/hooks\.ts failed: .*: <\/head><body>\./,
    ],
    ['head: () => "<script>start()"', /: <script>start\(\)\./],
    ['head: () => "<!-- tracking"', /: <!-- tracking\./],
    ['head: () => "<div>A</div>"', /: <div>A<\/div>\./],
    ['head() { throw "no title" }', /^The hook head in src\/hooks\.ts failed: no title$/],
  ]
  for (const [hook, message] of wrong) {
    const hooks = loadFrom(t, `export default {\n  ${hook} }`)
    assert.throws(() => ownHead(aView(), hooks), { message })
  }
})

// Apart, because it takes five seconds.
test('a hook of a page that never ends is named with its file', (t) => {
  const hooks = loadFrom(t, `export default {\n  head() { while (true) {} } }`)
  assert.throws(() => ownHead(aView(), hooks), {
    message: /^The hook head in src\/hooks\.ts failed: It did not finish within 5 s$/,
  })
})

test('the place of a failure is the line in the hooks file, or only the file', (t) => {
  const { beforeSubmission } = loadFrom(
    t,
    `export default {\n  beforeSubmission() { throw new Error('CRM is down') } }`,
  )
  try {
    beforeSubmission?.({} as never)
    assert.fail('the hook throws')
  } catch (error) {
    assert.equal(hookPlace(error), 'src/hooks.ts:3')
  }
  for (const error of [new Error('late'), 'late', null]) assert.equal(hookPlace(error), 'src/hooks.ts')
})

test('a publish runs between its hooks: the first can stop it, the second only reports', async (t) => {
  const dir = temporaryFolder(t)
  writeFileSync(
    join(dir, 'changes.tsv'),
    'added\t/a\tentry:1\t\nsame\t/b\tentry:2\t\nremoved\t/c\tentry:3\t\n',
  )
  let published = 0
  const publish = (text: string, kind: PublishOutcome['kind'] = 'published') => {
    const site = aSite(t, `import { writeFileSync } from 'node:fs'\nexport default defineHooks({ ${text} })`)
    const publishing = withPublishHooks(publishHooksOf(site, { withinMs: 20_000 }), async () => {
      published += 1
      const release = { id: 'r1', dir, siteDir: dir }
      return { kind, release, problems: ['late'] } as unknown as PublishOutcome
    })
    return publishing.then(({ problems }) => ({ problems }))
  }
  const seen = join(dir, 'seen.json')
  const afterPublish = `afterPublish(release) { writeFileSync('${seen}', JSON.stringify(release)) }`
  await publish(afterPublish, 'unchanged')
  assert.ok(!existsSync(seen))
  assert.deepEqual(await publish(afterPublish), { problems: ['late'] })
  const [added, removed] = [
    { change: 'added', path: '/a' },
    { change: 'removed', path: '/c' },
  ]
  const release: PublishedRelease = JSON.parse(readFileSync(seen, 'utf8'))
  assert.deepEqual(release, { releaseId: 'r1', changes: [added, removed] })

  const failing = `async afterPublish() { throw new Error('no cache') }`
  assert.deepEqual((await publish(failing)).problems, [
    'late',
    'The hook afterPublish in src/hooks.ts:3 failed: no cache',
  ])
  published = 0
  const stopping: [string, RegExp][] = [
    [`beforePublish() { throw new Error('no cache') }`, /^The hook beforePublish in src.*no cache$/],
    ['beforePublish() { process.exit() }', /It ended its thread\. Remove the call to process\.exit\(\)$/],
  ]
  for (const [text, message] of stopping) await assert.rejects(publish(text), { message })
  assert.equal(published, 0)
})

// Apart, because each of them calculates until it is ended.
test('a publish waits only so long for a hook', async (t) => {
  for (const hook of [
    'beforePublish() { while (true) {} }',
    'async beforePublish() { await 1; while (true) {} }',
    'beforePublish() { return new Promise(() => setInterval(() => {}, 1)) }',
  ]) {
    const { before } = publishHooksOf(aSite(t, `export default defineHooks({ ${hook} })`), { withinMs: 400 })
    await assert.rejects(async () => before?.(), {
      message: 'The hook beforePublish in src/hooks.ts failed: It did not finish within 0.4 s',
    })
  }
})
