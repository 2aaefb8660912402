import assert from 'node:assert/strict'
import { test } from 'node:test'
import { siteSettings } from '#src/site/settings/site-settings.ts'

test('navigation links are site paths and full URLs, never a disguised host', () => {
  const isAccepted = (path: string) =>
    siteSettings.safeParse({ name: 'A', navigation: [{ label: 'B', path }] }).success
  for (const path of ['/', '/services', '/#places', 'https://example.com']) assert.ok(isAccepted(path), path)
  for (const path of ['//evil.example', '/\\evil.example', 'javascript:alert(1)', 'services', ''])
    assert.ok(!isAccepted(path), path)
})
