import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findForm } from '#src/forms/form-store.ts'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { type AdminSite, basedOn, startAdmin } from '../../support/admin.ts'
import { storeForm } from '../../support/forms.ts'

const MARKUP = '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>'

const fieldsOf = async ({ app }: AdminSite, slug: string) =>
  (await findForm(app.db, slug))?.fields.map(({ name }) => name)

const leadsTo = (response: Response, path: string) => {
  assert.deepEqual([response.status, response.headers.get('location')], [303, path])
}

const EDITED = {
  'fields/phone': { type: 'phone', name: 'phone', label: 'Phone' },
  settings: { name: 'Waitlist', slug: 'waitlist', status: 'active' },
}

for (const [page, edit] of Object.entries(EDITED)) {
  test(`what was saved in another tab is not put back by an older form: ${page}`, async (t) => {
    const site = await startAdmin(t)
    const path = `/admin/forms/waitlist/${page}`
    const first = 'label' in edit ? { label: 'Newer' } : { name: 'Newer' }
    const second = 'label' in edit ? { label: 'Typed' } : { name: 'Typed' }
    const based_on = basedOn(await site.read(path))
    assert.equal((await site.post(path, { ...edit, ...first, based_on })).status, 303)
    const refused = await site.post(path, { ...edit, ...second, based_on })
    const html = await refused.text()
    assert.equal(refused.status, 409)
    assert.match(html, /Somebody else saved this (field|form) after you had opened it/)
    assert.match(html, /value="Typed"/)
    assert.match(await site.read(path), /value="Newer"/)
    assert.equal((await site.post(path, { ...edit, ...second, based_on: basedOn(html) })).status, 303)
    assert.match(await site.read(path), /value="Typed"/)
  })
}

test('the list of forms says that an unused built-in form is live, and archives it with one click', async (t) => {
  const site = await startAdmin(t)
  const html = await site.read('/admin/forms')
  assert.match(
    html,
    /built-in form “Waitlist” is live at[\s\S]*\/forms\/waitlist[\s\S]*does not\s+link to it/,
  )
  const [form = ''] = /<form[^>]*action="\/admin\/forms\/waitlist\/status"[\s\S]*?<\/form>/.exec(html) ?? []
  assert.match(form, /<button type="submit"[^>]*name="status" value="archived"[^>]*>Archive “Waitlist”</)
  leadsTo(await site.post('/admin/forms/waitlist/status', { status: 'archived' }), '/admin/forms/waitlist')
  assert.equal((await findForm(site.app.db, 'waitlist'))?.status, 'archived')
  assert.doesNotMatch(await site.read('/admin/forms'), /is live at/)
})

test('the list of forms says nothing of a built-in form that the site uses', async (t) => {
  const site = await startAdmin(t)
  const settings = await findSiteSettings(site.app.db)
  const now = new Date().toISOString()
  await saveSiteSettings(site.app.db, { ...settings, default_form: 'waitlist' }, { now })
  assert.doesNotMatch(await site.read('/admin/forms'), /is live at/)
})

test('issue 5, 3: forms in the admin without JavaScript', async (t) => {
  const site = await startAdmin(t, { prepare: ({ db }) => storeForm(db, 'quote', { name: 'Quote' }) })
  const { app } = site

  await t.test('the list names every form with its counts', async () => {
    await app.desk.accept('quote', { answer: 'hello' })
    const html = await site.read('/admin/forms')
    assert.match(html, /Quote[\s\S]*\/forms\/quote[\s\S]*active[\s\S]*inbox\?form=quote[^>]*>\s*1\s*</)
    assert.match(html, /Waitlist[\s\S]*built in[\s\S]*none yet/)
  })

  await t.test('a new form is a draft under a slug made of its name', async () => {
    leadsTo(
      await site.post('/admin/forms/new', { name: 'Café & Bar', beginning: 'contact' }),
      '/admin/forms/cafe-bar',
    )
    const form = await findForm(app.db, 'cafe-bar')
    assert.deepEqual(
      [form?.status, await fieldsOf(site, 'cafe-bar')],
      ['draft', ['full_name', 'email', 'message']],
    )
    const taken = await site.post('/admin/forms/new', { name: 'Other', slug: 'waitlist' })
    assert.equal(taken.status, 422)
    assert.match(await taken.text(), /Another form has this address/)
    const nameless = await site.post('/admin/forms/new', { name: ' ' })
    assert.match(await nameless.text(), /Give it a name/)
  })

  await t.test('a field is added, with its mistakes at their inputs', async () => {
    const address = '/admin/forms/cafe-bar/fields/new'
    const typed = { type: 'select', name: 'Size', label: 'Size', options: '' }
    const wrong = await site.post(address, typed)
    const html = await wrong.text()
    assert.equal(wrong.status, 422)
    assert.match(html, / autofocus[^>]* name="name"[\s\S]*id="field-name-error"[^>]*>\s*Expected lower-case/)
    assert.match(html, /id="field-options-error"[^>]*>\s*A select field has no options/)
    const right = await site.post(address, { ...typed, name: 'size', options: 'Small/s\r\nLarge/l' })
    leadsTo(right, '/admin/forms/cafe-bar')
    const form = await findForm(app.db, 'cafe-bar')
    assert.deepEqual(form?.fields.at(-1)?.options, [
      { label: 'Small', value: 's' },
      { label: 'Large', value: 'l' },
    ])
  })

  await t.test('another type shows its settings and saves nothing', async () => {
    const typed = { type: 'file', name: 'photo', label: 'Photo', step: 'type' }
    const response = await site.post('/admin/forms/cafe-bar/fields/new', typed)
    const html = await response.text()
    assert.equal(response.status, 200)
    assert.match(html, /name="validation.max_size"/)
    assert.doesNotMatch(html, /name="options"/)
    assert.match(html, /<select[^>]* autofocus[^>]* name="type"/)
    assert.ok(!(await fieldsOf(site, 'cafe-bar'))?.includes('photo'))
  })

  await t.test('fields are moved by buttons, and put in any order', async () => {
    const moved = await site.post('/admin/forms/cafe-bar/fields/order', { name: 'size', by: '-1' })
    leadsTo(moved, '/admin/forms/cafe-bar?focus=size:-1')
    const again = await site.read('/admin/forms/cafe-bar?focus=size:-1')
    assert.match(again, /<button[^>]*aria-label="Move [^"]* up"[^>]* autofocus/)
    assert.deepEqual(await fieldsOf(site, 'cafe-bar'), ['full_name', 'email', 'size', 'message'])
    await site.post('/admin/forms/cafe-bar/fields/order', {
      names: ['message', 'size', 'email', 'full_name'],
    })
    assert.deepEqual(await fieldsOf(site, 'cafe-bar'), ['message', 'size', 'email', 'full_name'])
    assert.equal((await site.post('/admin/forms/cafe-bar/fields/order', { by: '7' })).status, 404)
  })

  await t.test('a field is changed and, after a question, removed', async () => {
    const html = await site.read('/admin/forms/cafe-bar/fields/size')
    assert.match(html, /Small\/s\nLarge\/l/)
    const typed = { type: 'radio', name: 'size', label: 'Which size?', options: 'S\nM', required: 'on' }
    await site.post('/admin/forms/cafe-bar/fields/size', typed)
    const changed = (await findForm(app.db, 'cafe-bar'))?.fields[1]
    assert.deepEqual([changed?.type, changed?.label, changed?.required], ['radio', 'Which size?', true])
    assert.match(await site.read('/admin/forms/cafe-bar/fields/size/removal'), /Answers that came in stay/)
    assert.ok((await fieldsOf(site, 'cafe-bar'))?.includes('size'))
    await site.post('/admin/forms/cafe-bar/fields/size/removal')
    assert.deepEqual(await fieldsOf(site, 'cafe-bar'), ['message', 'email', 'full_name'])
  })

  await t.test('§3 any status to any, of the built-in form too, at once for who posts', async () => {
    for (const slug of ['quote', 'waitlist']) {
      for (const status of ['archived', 'draft', 'active', 'draft', 'archived', 'active'] as const) {
        leadsTo(await site.post(`/admin/forms/${slug}/status`, { status }), `/admin/forms/${slug}`)
        assert.equal((await findForm(app.db, slug))?.status, status)
      }
    }
    await site.post('/admin/forms/quote/status', { status: 'archived' })
    assert.equal((await app.desk.accept('quote', {})).kind, 'gone')
    await site.post('/admin/forms/quote/status', { status: 'active' })
    assert.equal((await site.post('/admin/forms/quote/status', { status: 'gone' })).status, 404)
  })

  await t.test(
    '§2.1 settings are saved, with mistakes at their inputs; the built-in form keeps its address',
    async () => {
      const typed = {
        name: 'Quote',
        status: 'active',
        slug: 'offer',
        'settings.success_heading': 'Thanks',
        'settings.anti_spam': 'on',
      }
      const wrong = await site.post('/admin/forms/quote/settings', {
        ...typed,
        'settings.retention_days': '-1',
        'settings.redirect_url': '//x',
        'settings.success_body': '![The van](van.jpg)',
      })
      const html = await wrong.text()
      assert.equal(wrong.status, 422)
      assert.match(html, /id="field-settings.retention_days-error"/)
      assert.match(html, /id="field-settings.redirect_url-error"/)
      assert.match(
        html,
        /id="field-settings.success_body-error"[^>]*>[^<]*There is no picture .{1,7}van\.jpg/,
      )
      const settings = await findSiteSettings(app.db)
      const now = new Date().toISOString()
      await saveSiteSettings(app.db, { ...settings, default_form: 'quote' }, { now })
      leadsTo(await site.post('/admin/forms/quote/settings', typed), '/admin/forms/offer/settings')
      assert.equal((await findSiteSettings(app.db)).default_form, 'offer')
      assert.equal((await findForm(app.db, 'offer'))?.settings.success_heading, 'Thanks')
      assert.equal(await findForm(app.db, 'quote'), undefined)
      await site.post('/admin/forms/waitlist/settings', { ...typed, name: 'List', slug: 'other' })
      assert.equal((await findForm(app.db, 'waitlist'))?.name, 'List')
      assert.match(await site.read('/admin/forms/waitlist/settings'), /its address stays/)
      const before = await findForm(app.db, 'offer')
      const other = { ...typed, slug: 'waitlist', name: 'Renamed', 'settings.success_heading': 'Other' }
      const taken = await site.post('/admin/forms/offer/settings', other)
      assert.equal(taken.status, 422)
      assert.match(await taken.text(), /id="field-slug-error"[^>]*>[^<]*Another form has this address/)
      assert.deepEqual(await findForm(app.db, 'offer'), before, 'nothing is stored')
      const both = await site.post('/admin/forms/offer/settings', {
        ...{ ...other, slug: 'No Slug', 'settings.retention_days': '-1' },
      })
      const mistakes = await both.text()
      assert.match(mistakes, /id="field-slug-error"[^>]*>[^<]*Use lower-case letters/)
      assert.match(mistakes, /id="field-settings.retention_days-error"/)
      assert.deepEqual(await findForm(app.db, 'offer'), before)
    },
  )

  await t.test(
    'a copy is a draft; a form goes after its slug was typed, the built-in one never',
    async () => {
      leadsTo(await site.post('/admin/forms/offer/copy', { name: 'Offer 2' }), '/admin/forms/offer-2')
      assert.equal((await findForm(app.db, 'offer-2'))?.status, 'draft')
      const question = await site.read('/admin/forms/offer/removal')
      assert.match(question, /one submission[\s\S]*Type offer to delete/)
      assert.equal((await site.post('/admin/forms/offer/removal', { confirmation: 'no' })).status, 422)
      leadsTo(await site.post('/admin/forms/offer/removal', { confirmation: 'offer' }), '/admin/forms')
      assert.equal(await findForm(app.db, 'offer'), undefined)
      assert.equal((await site.fetch('/admin/forms/waitlist/removal')).status, 404)
      assert.equal(
        (await site.post('/admin/forms/waitlist/removal', { confirmation: 'waitlist' })).status,
        404,
      )
      assert.ok(await findForm(app.db, 'waitlist'))
    },
  )

  await t.test('the preview shows what is typed, and a trial stores nothing', async () => {
    const stored = await (await site.fetch('/admin/forms/waitlist/preview')).text()
    assert.match(stored, /action="\/admin\/forms\/waitlist\/trial"/)
    const typed = { type: 'radio', name: 'size', label: 'Which size?', options: 'Small/s' }
    const shown = await (await site.post('/admin/forms/waitlist/preview', typed)).text()
    assert.match(shown, /Which size\?[\s\S]*value="s"/)
    const half = await (
      await site.post('/admin/forms/waitlist/preview', { type: 'select', name: 'No Key', label: 'Half' })
    ).text()
    assert.match(half, /Half/)
    for (const long of ['x'.repeat(5_000), '🙂'.repeat(400), ' '.repeat(600)]) {
      const texts = { type: 'text', name: long, label: long, help_text: long, options: long }
      assert.equal((await site.post('/admin/forms/waitlist/preview', texts)).status, 200)
    }
    const before = (await app.db.selectFrom('form_submissions').select('id').execute()).length
    const mistaken = await (await site.post('/admin/forms/waitlist/trial', { email: 'nope' })).text()
    assert.match(mistaken, /Enter an email address/)
    const right = { full_name: 'A', email: 'a@example.com', phone: '512 555 0100', role: 'x' }
    assert.match(await (await site.post('/admin/forms/waitlist/trial', right)).text(), /<h1[^>]*>\s*Thank/i)
    assert.equal((await app.db.selectFrom('form_submissions').select('id').execute()).length, before)
  })

  await t.test('every change names who made it, in the form and in the log', async () => {
    const row = await app.db
      .selectFrom('forms')
      .select('updated_by')
      .where('slug', '=', 'waitlist')
      .executeTakeFirst()
    assert.equal(row?.updated_by, site.administratorId)
    const log = await app.db.selectFrom('audit_log').select('action').execute()
    const actions = new Set(log.map(({ action }) => action))
    for (const action of ['form.added', 'form.changed', 'form.archived', 'form.active', 'form.deleted'])
      assert.ok(actions.has(action), action)
  })

  await t.test('stored text never runs, wherever it is shown', async () => {
    const field = {
      name: 'tricky',
      label: MARKUP,
      help_text: MARKUP,
      placeholder: MARKUP,
      default_value: MARKUP,
    }
    await storeForm(app.db, 'tricky', {
      ...{ name: MARKUP, description: MARKUP, settings: { success_heading: MARKUP, success_body: MARKUP } },
      fields: [{ ...field, type: 'select', options: [MARKUP] }],
    })
    for (const path of [
      '',
      '/settings',
      '/fields/tricky',
      '/fields/tricky/removal',
      '/copy',
      '/removal',
      '/preview',
    ]) {
      const html = await (await site.fetch(`/admin/forms/tricky${path}`)).text()
      // Inside the quotes of an attribute it is text.
      assert.doesNotMatch(html.replace(/="[^"]*"/g, ''), /<script>alert|<img src=x/, path)
      assert.match(html, /&lt;script&gt;alert/, path)
    }
    assert.doesNotMatch((await site.read('/admin/forms')).replace(/="[^"]*"/g, ''), /<script>alert/)
  })

  await t.test('what is not there is told, whatever the spelling', async () => {
    for (const path of ['nobody', 'nobody/settings', 'nobody/preview', 'waitlist/fields/nobody', '__proto__'])
      assert.equal((await site.fetch(`/admin/forms/${path}`)).status, 404, path)
  })
})
