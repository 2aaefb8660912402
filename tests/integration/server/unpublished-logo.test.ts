import assert from 'node:assert/strict'
import { test } from 'node:test'
import { savePicture } from '#src/pictures/picture-store.ts'
import { DEFAULT_SITE_SETTINGS } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { storeForm } from '../../support/forms.ts'
import { startFront } from '../../support/front.ts'
import { aPicture } from '../../support/pictures.ts'

const NOW = '2026-11-24T00:00:00.000Z'
const ASSET = /(?:src|href|srcset)="(\/_astro\/[^" ]+)"/g

test('an invalid form page doesn’t show an unpublished logo or icon', async (t) => {
  const { app, url } = await startFront(t)
  const form = await storeForm(app.db, 'quote', {
    fields: [{ name: 'full_name', label: 'Name', type: 'text', required: true }],
  })
  await savePicture(app.db, aPicture({ name: 'logo.png' }), { now: NOW })
  const settings = { ...DEFAULT_SITE_SETTINGS, name: 'Shannon Plumbing', logo: 'logo.png' }
  await saveSiteSettings(app.db, settings, { now: NOW })
  const response = await fetch(`${url}/api/forms/${form.slug}/submissions`, {
    method: 'POST',
    headers: { accept: 'text/html', origin: url },
    body: new URLSearchParams({ full_name: '' }),
  })
  assert.equal(response.status, 422)
  const html = await response.text()
  const assets = [...html.matchAll(ASSET)].map(([, path = '']) => path)
  assert.ok(assets.length > 0)
  for (const path of new Set(assets)) {
    const { status, headers } = await fetch(url + path)
    assert.equal(status, 200, path)
    assert.doesNotMatch(headers.get('content-type') ?? '', /html/, path)
  }
  assert.match(html, /Shannon Plumbing/)
  assert.doesNotMatch(html, /picture-|icon-/)
})
