import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser, openPage } from '../../support/browser.ts'
import { storeForm } from '../../support/forms.ts'
import { startFront } from '../../support/front.ts'

const TYPES = ['email', 'url', 'number', 'date'] as const
type Type = (typeof TYPES)[number]

const LONG_LABEL = 'a'.repeat(63)

// At the edges of what a browser takes: the types whose format browsers judge.
const VALUES: Record<Type, string[]> = {
  email: [
    ...['a@b', 'ada@example.com', 'ada@example', 'ada@localhost', 'a.b@example.com', 'a..b@example.com'],
    ...[
      '.a@example.com',
      'a.@example.com',
      'ada@',
      '@example.com',
      'ada',
      'ada@@example.com',
      'ada@ex@ample',
    ],
    ...['ada@example..com', 'ada@.example.com', 'ada@example.com.', 'ada@-example.com', 'ada@example-.com'],
    ...['ada@ex-ample.com', 'ada@ex_ample.com', 'ada@exämple.com', 'ädä@example.com', '"a b"@example.com'],
    ...['a b@example.com', 'ada@exam ple.com', 'ada @example.com', ' ada@example.com ', 'ada@example.com\t'],
    ...['ada+tag@example.com', "o'brien@example.com", 'a!#$%&*/=?^_`{|}~-@example.com', 'a,b@example.com'],
    ...['a;b@example.com', 'a:b@example.com', 'a<b@example.com', 'a(b)@example.com', 'a[b]@example.com'],
    ...['a\\b@example.com', 'ada@[127.0.0.1]', 'ada@127.0.0.1', 'ada@1', 'ada@example.c', 'ADA@EXAMPLE.COM'],
    ...['Ada <ada@example.com>', 'mailto:ada@example.com', 'a@b.c,d@e.f', 'ada@xn--exmple-cua.com', '1@2.3'],
    ...[`ada@${LONG_LABEL}.com`, `ada@a${LONG_LABEL}.com`],
  ],
  url: [
    ...[
      'https://example.com',
      'http://example.com',
      'HTTPS://EXAMPLE.COM',
      'https://example.com/',
      'https://a',
    ],
    ...[
      'https://localhost',
      'https://127.0.0.1',
      'https://[::1]/',
      'https://[::1',
      'https://256.256.256.256',
    ],
    ...['https://example.com:443', 'https://example.com:65535', 'https://example.com:65536', 'https://a:b/'],
    ...[
      'https://ada:secret@example.com',
      'https://example.com?q',
      'https://example.com#x',
      'https://',
      'https:',
    ],
    ...[
      'http:///example.com',
      'https://example.com/ä',
      'https://bücher.example',
      'https://例え.jp',
      'https://a_b.c',
    ],
    ...['https://example..com', 'https://.example.com', 'https://example.com.', 'https://exa mple.com'],
    ...[
      'https://example.com/a b',
      'https://example.com/?a b',
      'https://example.com/#a b',
      'https://a.b/ c.d',
    ],
    ...[
      ' https://example.com ',
      'https://example.com\t',
      'example.com',
      'www.example.com',
      '//example.com',
      '/a',
    ],
    ...[
      'https//example.com',
      'https:/example.com',
      'http:example.com',
      'https://%',
      'https://example.com/%zz',
    ],
    ...[
      'ftp://example.com',
      'mailto:ada@example.com',
      'javascript:alert(1)',
      'data:text/html,a',
      'file:///etc',
    ],
    ...['tel:+15125550100', 'https://<a>', 'https://example.com/<a>', 'x:y'],
  ],
  number: [
    ...[
      '0',
      '-0',
      '1',
      '-1',
      '+1',
      '+0',
      '--1',
      '+-1',
      '1.',
      '.5',
      '-.5',
      '+.5',
      '.',
      '-',
      '1.5',
      '1.50',
      '1,5',
    ],
    ...[
      '1,000',
      '1 000',
      '1.000.000',
      '01',
      '007',
      '-01',
      '1e3',
      '1E3',
      '1e+3',
      '1e-3',
      '1e',
      'e3',
      '1.e3',
      '.5e1',
    ],
    ...[
      '1e1.5',
      '0x1F',
      '0b1',
      '1_000',
      'Infinity',
      '-Infinity',
      'NaN',
      '1e308',
      '1e309',
      '-1e309',
      '1e-400',
    ],
    ...[
      '9007199254740991',
      '-9007199254740991',
      '9007199254740993',
      '1e16',
      '99999999999999999999',
      '١٢',
      '½',
    ],
    ...[' 1', '1 ', '\t1', '1a', '$1', '1%', '−1', '0.1'],
  ],
  date: [
    ...['2026-11-20', '2024-02-29', '2026-02-29', '2000-02-29', '1900-02-29', '2026-02-30', '2026-04-31'],
    ...['2026-00-10', '2026-13-01', '2026-01-00', '2026-01-32', '2026-12-31', '0000-01-01', '0001-01-01'],
    ...['0099-12-31', '1000-01-01', '1582-10-10', '1970-01-01', '9999-12-31', '10000-01-01', '20226-01-01'],
    ...[
      '99999-12-31',
      '100000-01-01',
      '275760-09-13',
      '275760-09-14',
      '-0001-01-01',
      '+2026-01-01',
      '026-01-01',
    ],
    ...[
      '26-01-01',
      '2026-1-1',
      '2026-01-1',
      '2026-1-01',
      '20260101',
      '2026/01/01',
      '2026.01.01',
      '01.01.2026',
    ],
    ...['01/02/2026', '2026-01', '2026', '2026-W01', '2026-01-01T00:00', '2026-01-01Z', ' 2026-01-01'],
    ...['2026-01-01 ', '2026-01-01\n', '２０２６-01-01', '2026−01−01', 'today', '2026-01-01-01', '2026-0-01'],
  ],
}

interface Difference {
  taker: 'browser' | 'server'
  reason: string
  texts: string[]
}

const SPACES = 'programs send spaces around a value, which a browser takes away'

// Where the server judges otherwise, and why; docs/forms.md says so too.
const KEPT: Record<Type, Difference[]> = {
  email: [],
  url: [],
  number: [
    {
      taker: 'browser',
      reason: 'beyond 2^53 digits would be lost',
      texts: ['1e308', '9007199254740993', '1e16', '99999999999999999999'],
    },
    {
      taker: 'server',
      reason: 'programs write a plus or an empty fraction; no other number can be meant',
      texts: ['+1', '+0', '+.5', '1.'],
    },
    { taker: 'server', reason: SPACES, texts: [' 1', '1 ', '\t1'] },
  ],
  date: [{ taker: 'server', reason: SPACES, texts: [' 2026-01-01', '2026-01-01 ', '2026-01-01\n'] }],
}

test('browser and server validate input alike', async (t) => {
  const { url } = await startFront(t, {
    prepare: ({ db }) =>
      storeForm(db, 'parity', { fields: TYPES.map((type) => ({ name: type, label: type, type })) }),
  })
  const page = await openPage(t, await openBrowser(), {})
  await page.goto(`${url}/forms/parity`)

  for (const type of TYPES) {
    await t.test(type, async () => {
      const differences = new Map<string, string>()
      for (const text of VALUES[type]) {
        const [browser, server] = [await browserTakes(page, type, text), await serverTakes(url, type, text)]
        if (browser !== server) differences.set(text, browser ? 'browser' : 'server')
      }
      const kept = KEPT[type].flatMap(({ taker, texts }) => texts.map((text) => [text, taker] as const))
      assert.deepEqual(differences, new Map(kept))
    })
  }
})

// A control keeps no text that it takes for none.
function browserTakes(page: Page, type: Type, text: string): Promise<boolean> {
  return page.locator(`[name=${type}]`).evaluate((control: HTMLInputElement, typed) => {
    control.value = typed
    return control.value !== '' && control.checkValidity()
  }, text)
}

async function serverTakes(url: string, type: Type, text: string): Promise<boolean> {
  const response = await fetch(`${url}/api/forms/parity/submissions`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ [type]: text }),
  })
  assert.ok([201, 422].includes(response.status), `${response.status} for ${text}`)
  return response.status === 201
}
