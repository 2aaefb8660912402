// biome-ignore-all lint/suspicious/noTemplateCurlyInString: webhooks name values of the environment like this
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameOrigin, originOf } from '#src/webhooks/secrets/webhook-origin.ts'

for (const [url, origin] of [
  ['https://hooks.example.com/a?b#c', 'https://hooks.example.com'],
  ['https://HOOKS.example.com:443', 'https://hooks.example.com'],
  ['https://hooks.example.com/services/${TOKEN}', 'https://hooks.example.com'],
  ['https://0x7f.1:8080/x', 'https://127.0.0.1:8080'],
  ['https://${HOST}/a', 'https://${HOST}'],
  ['${HOOK_URL}/a', '${HOOK_URL}'],
] as const) {
  test(`the origin of ${url} is ${origin}`, () => assert.equal(originOf(url), origin))
}

for (const [stored, other] of [
  ['https://a.example.com/x', 'https://b.example.com/x'],
  ['https://a.example.com/x', 'https://a.example.com.evil.test/x'],
  ['https://a.example.com/x', 'https://a.example.com:8443/x'],
  ['https://a.example.com/x', 'http://a.example.com/x'],
  ['https://a.example.com/x', 'https:///evil.test/x'],
  ['https://a.example.com/x', 'https:\\\\evil.test\\a.example.com/x'],
  ['https://a.example.com/x', 'https://ev\til.test/x'],
  ['https://a.example.com/x', 'https://${HOST}/x'],
  ['https://${HOST}/x', 'https://${HOST}.evil.test/x'],
  ['https://${HOST}/x', 'https://${OTHER}/x'],
  ['${HOOK_URL}/x', '${HOOK_URL}.evil.test/x'],
  ['${HOOK_URL}/x', '${HOOK_URL}@evil.test/x'],
  ['${HOOK_URL}/x', 'https://evil.test/${HOOK_URL}'],
  ['${SCHEME}://a.example.com/x', '${SCHEME}://evil.test/x'],
  ['${SCHEME}//a.example.com/x', '${SCHEME}//evil.test/x'],
  ['${SCHEME}:/a.example.com/x', '${SCHEME}:/evil.test/x'],
  ['${SCHEME}:/\t/a.example.com/x', '${SCHEME}:/\t/evil.test/x'],
  ['${SCHEME}/\n/a.example.com/x', '${SCHEME}/\n/evil.test/x'],
] as const) {
  test(`${JSON.stringify(other)} has a different origin than ${stored}`, () =>
    assert.equal(isSameOrigin(stored, other), false))
}
