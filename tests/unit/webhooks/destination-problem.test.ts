// biome-ignore-all lint/suspicious/noTemplateCurlyInString: webhooks name values of the environment like this
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDestinationProblem } from '#src/webhooks/sending/destination-problem.ts'

for (const [url, allow, problem] of [
  ['https://192.168.1.5/x', '', /192\.168\.1\.5 is not a public address/],
  ['https://192.168.1.5/x', '192.168.0.0/16', undefined],
  ['https://192.168.1.5:8443/x', '192.168.0.0/16:443', /not a public address/],
  ['http://[::1]/x', '127.0.0.0/8', /::1 is not a public address/],
  ['http://8.8.8.8/x', '127.0.0.0/8', /can’t send to this URL without https/],
  ['http://127.1:9000/x', '127.0.0.1:9000', undefined],
  ['http://example.com/x', '', /can’t send to this URL without https/],
  ['http://crm.internal/x', '10.0.0.0/8', undefined],
  ['https://example.com/x', '', undefined],
  ['https://localhost/x', '', /localhost is not a public address/],
  ['https://crm.localhost.:8443/x', '10.0.0.0/8', /crm\.localhost\. is not a public address/],
  ['http://localhost:9000/x', '127.0.0.1:9000', undefined],
  ['https://mylocalhost/x', '', undefined],
  ['http://${HOST}/x', '', undefined],
  ['', '', undefined],
] as const) {
  test(`"${url}" with WEBHOOK_ALLOW "${allow}": ${problem ?? 'no warning'}`, () => {
    const found = findDestinationProblem(url, allow === '' ? [] : [allow])
    if (problem) assert.match(found ?? '', problem)
    else assert.equal(found, undefined)
  })
}
