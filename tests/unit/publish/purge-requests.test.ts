import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  indexNowWay,
  type NoticeRequest,
  SERVICE_ORIGINS as origins,
  purgeWayOf,
} from '#src/publish/outlets/purge-requests.ts'

const ADDRESSES = ['https://www.example.com/a', 'https://www.example.com/b?x=1&y=<2>']
const JSON_TYPE = { 'content-type': 'application/json' }
const BEARER = { authorization: 'Bearer secret' }

type Purge = Parameters<typeof purgeWayOf>[0]

function built(purge: Purge, token?: string, addresses: readonly string[] = ADDRESSES) {
  const { most, build } = purgeWayOf(purge, { token, origins })
  return { most, ...build(addresses) }
}

test('each CDN is asked to purge addresses in its own way', () => {
  const asked: [Purge, NoticeRequest & { most: number }, signed: object][] = [
    [
      { kind: 'cloudflare', zone: 'z1' },
      {
        ...{ most: 30, method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ files: ADDRESSES }) },
        url: 'https://api.cloudflare.com/client/v4/zones/z1/purge_cache',
      },
      { ...JSON_TYPE, ...BEARER },
    ],
    [
      { kind: 'fastly' },
      { most: 1, url: 'https://api.fastly.com/purge/www.example.com/a', method: 'POST', headers: {} },
      { 'fastly-key': 'secret' },
    ],
    [
      { kind: 'request', url: 'https://cdn.example/purge' },
      {
        ...{ most: 100, url: 'https://cdn.example/purge', method: 'POST', headers: JSON_TYPE },
        body: JSON.stringify({ urls: ADDRESSES }),
      },
      { ...JSON_TYPE, ...BEARER },
    ],
    [
      { kind: 'request', url: 'https://cdn.example/{url}?again={url}' },
      {
        ...{ most: 1, method: 'POST', headers: {} },
        url: 'https://cdn.example/https%3A%2F%2Fwww.example.com%2Fa?again=https%3A%2F%2Fwww.example.com%2Fa',
      },
      BEARER,
    ],
  ]
  for (const [purge, expected, headers] of asked) {
    assert.deepEqual(built(purge), expected)
    assert.deepEqual(built(purge, 'secret'), { ...expected, headers })
  }
  assert.match(
    built({ kind: 'fastly' }, undefined, ['http://example.com/c']).url,
    /\/purge\/example\.com\/c$/,
  )
})

test('CloudFront gets the paths in a signed request that is never the same', () => {
  const purge = { kind: 'cloudfront', distribution: 'D1' } as const
  const { body = '', ...request } = built(purge, 'secret')
  assert.deepEqual(request, {
    ...{ most: 1_000, method: 'POST', headers: { 'content-type': 'application/xml' }, isSigned: true },
    url: 'https://cloudfront.amazonaws.com/2020-05-31/distribution/D1/invalidation',
  })
  const [, id = '', paths] = /<CallerReference>(.*)<\/CallerReference><Paths>(.*)<\/Paths>/.exec(body) ?? []
  assert.match(id, /^[\w-]{36}$/)
  assert.equal(paths, '<Quantity>2</Quantity><Items><Path>/a</Path><Path>/b</Path></Items>')
  assert.match(body, /^<\?xml.*<InvalidationBatch xmlns="http:.*\/2020-05-31\/">.*<\/InvalidationBatch>$/)
  assert.notEqual(built(purge).body, body)
  const [, path] = /<Path>(.*)<\/Path>/.exec(built(purge, '', ['https://example.com/a&b&c']).body ?? '') ?? []
  assert.equal(path, '/a&amp;b&amp;c')
})

test('search engines are told the changed addresses and where the key is', () => {
  const { most, build } = indexNowWay({ key: 'k', siteUrl: 'https://www.example.com', origins })
  assert.equal(most, 10_000)
  const { body = '', ...request } = build(ADDRESSES)
  assert.deepEqual(request, {
    ...{ url: 'https://api.indexnow.org/indexnow', method: 'POST' },
    headers: { 'content-type': 'application/json; charset=utf-8' },
  })
  const keyLocation = 'https://www.example.com/k.txt'
  assert.deepEqual(JSON.parse(body), { host: 'www.example.com', key: 'k', keyLocation, urlList: ADDRESSES })
})
