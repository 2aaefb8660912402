import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAdmin } from '../../support/admin.ts'
import { submit } from '../webhooks/webhook-world.ts'

const NEW = '/admin/forms/waitlist/webhooks/new'
const FIX = '{{clients_managed | text}}'

/** What the editor posts for a webhook with this template. */
function fields(template: object | string, act = 'save') {
  return {
    ...{ name: 'Chat', url: 'https://chat.example.com', method: 'POST', headers: '', max_retries: '6' },
    ...{ enabled: 'on', match: 'always', fire_on: '', act },
    template: typeof template === 'string' ? template : JSON.stringify(template),
  }
}

test('contract §8: a template that can send null is saved with a fix in the editor and preview', async (t) => {
  const site = await startAdmin(t)
  const saved = await site.post(NEW, fields({ value: '{{clients_managed}}' }))
  assert.equal(saved.status, 303)
  const path = saved.headers.get('location') ?? ''
  assert.ok((await site.read(path)).includes(`>${FIX}<`), 'the editor')
  await submit(site.app.db)
  const preview = await (await site.post(NEW, fields({ value: '{{clients_managed}}' }, 'preview'))).text()
  assert.ok(preview.includes(`>${FIX}<`), 'the preview')
  assert.equal((await site.post(path, fields({ value: FIX }))).status, 303)
  assert.ok(!(await site.read(path)).includes(`>${FIX}<`), 'the fix was followed')
})

test('contract §8: a template with an unknown filter is refused, and the editor lists the known ones', async (t) => {
  const site = await startAdmin(t)
  for (const [template, message] of [
    [{ text: '{{role | upper}}' }, 'Unknown filter &quot;upper&quot; in {{role | upper}}, expected default:'],
    [{ text: '{{role.label}}' }, 'No labels for {{role.label}}, because role has no options; use {{role}}.'],
    [{ text: 'Role: {{role' }, '&quot;{{role&quot; has no closing }}; expected {{field}}.'],
    ['{ "text": "{{role | default: "none"}}" }', 'Use single quotes: default: &#39;text&#39;.'],
  ] as const) {
    const refused = await site.post(NEW, fields(template))
    assert.equal(refused.status, 422)
    const html = await refused.text()
    assert.ok(html.includes(message) || html.includes(message.replaceAll('&#39;', "'")), message)
  }
})
