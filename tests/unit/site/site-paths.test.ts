import assert from 'node:assert/strict'
import { test } from 'node:test'
import { siteSettings } from '#src/site/settings/site-settings.ts'

test('the navigation leads to paths of this site and full addresses, never to a host in disguise', () => {
  const isAccepted = (path: string) =>
    siteSettings.safeParse({ name: 'A', navigation: [{ label: 'B', path }] }).success
  for (const path of ['/', '/services', '/#places', 'https://example.com']) assert.ok(isAccepted(path), path)
  for (const path of ['//evil.example', '/\\evil.example', 'javascript:alert(1)', 'services', ''])
    assert.ok(!isAccepted(path), path)
})
