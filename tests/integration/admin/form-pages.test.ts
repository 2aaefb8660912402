import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findForm } from '#src/forms/form-store.ts'
import { endPublish, insertPublish } from '#src/publish/publish-store.ts'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { listTrash } from '#src/versions/trash-store.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { storeForm } from '../../support/forms.ts'
import { basedOn, readAnswer } from '../../support/pages/read-page.ts'
import { messageOf } from '../../support/pages/told.ts'

const MARKUP = '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>'

const fieldsOf = async ({ app }: AdminSite, slug: string) =>
  (await findForm(app.db, slug))?.fields.map(({ name }) => name)

const leadsTo = (response: Response, path: string) => {
  assert.deepEqual([response.status, response.headers.get('location')], [303, path])
}

const EDITED = {
  'fields/phone': {
    ...{ noun: 'question', name: 'label', label: 'Question' },
    edit: { type: 'phone', name: 'phone', label: 'Phone' },
  },
  settings: {
    ...{ noun: 'form', name: 'name', label: 'Name' },
    edit: { name: 'Waitlist', slug: 'waitlist', status: 'active' },
  },
}

for (const [page, { noun, name, label, edit }] of Object.entries(EDITED)) {
  test(`an outdated form doesn’t undo changes saved in another tab: ${page}`, async (t) => {
    const site = await startAdmin(t)
    const path = `/admin/forms/waitlist/${page}`
    const [first, second] = [{ [name]: 'Newer' }, { [name]: 'Typed' }]
    const based_on = basedOn(await site.open(path))
    assert.equal((await site.post(path, { ...edit, ...first, based_on })).status, 303)
    const refused = await readAnswer(await site.post(path, { ...edit, ...second, based_on }), 409)
    const why = `Someone else saved the ${noun} after you opened this page.`
    assert.ok(refused.part('alert').words.startsWith(why))
    assert.equal(refused.valueOf(label), 'Typed')
    assert.equal((await site.open(path)).valueOf(label), 'Newer')
    assert.equal((await site.post(path, { ...edit, ...second, based_on: basedOn(refused) })).status, 303)
    assert.equal((await site.open(path)).valueOf(label), 'Typed')
  })
}

test('the forms list shows that an unused built-in form is live and archives it with one click', async (t) => {
  const site = await startAdmin(t)
  const notice = (await site.open('/admin/forms')).part('status')
  assert.ok(notice.words.startsWith('The built-in form “Waitlist” is live, but your site'))
  const address = notice.getByRole('link', { name: 'Open the form' })
  assert.equal(address.getAttribute('href'), `${site.url}/forms/waitlist`)
  const archive = notice.getByRole<HTMLButtonElement>('button', { name: 'Archive “Waitlist”' })
  assert.deepEqual([archive.type, archive.name, archive.value], ['submit', 'status', 'archived'])
  assert.equal(archive.form?.getAttribute('action'), '/admin/forms/waitlist/status')
  leadsTo(await site.post('/admin/forms/waitlist/status', { status: 'archived' }), '/admin/forms/waitlist')
  assert.equal((await findForm(site.app.db, 'waitlist'))?.status, 'archived')
  assert.equal((await site.open('/admin/forms')).queryAllByText(/is live at/).length, 0)
})

test('the forms list shows no notice for a built-in form in use', async (t) => {
  const site = await startAdmin(t)
  const settings = await findSiteSettings(site.app.db)
  const now = new Date().toISOString()
  await saveSiteSettings(site.app.db, { ...settings, default_form: 'waitlist' }, { now })
  assert.equal((await site.open('/admin/forms')).queryAllByText(/is live at/).length, 0)
})

test('a new form names the pages that will show it, and how to show it on others', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const at = '2026-01-01T00:00:00.000Z'
  const started = { machine: 'here', startedBy: 'command', userId: null, startedAt: at } as const
  await endPublish(db, await insertPublish(db, started), { status: 'published', finishedAt: at })
  await storeForm(db, 'quote', { fields: [] })
  const later = new Date(Date.now() + 60_000).toISOString()
  await db.updateTable('forms').set({ updated_at: later }).where('slug', '=', 'quote').execute()
  const page = await site.open('/admin/forms/quote')
  page.getByText(/Visitors will see them on 1 page after the next publish\./)
  page.getByText(/choose it as the default form under Settings\./)
})

test('§2.2 a default answer that visitors can’t submit is refused, and a stored one stays until it is edited', async (t) => {
  const site = await startAdmin(t)
  const building = {
    name: 'building',
    label: 'Building',
    type: 'select' as const,
    options: ['House/h', 'Flat/f'],
  }
  const fields = [
    { ...building, default_value: 'House' },
    { name: 'full_name', label: 'Name' },
  ]
  await storeForm(site.app.db, 'quote', { fields })
  const save = (name: string, values: object) => {
    const path = `/admin/forms/quote/fields/${name}`
    return site.open(path).then((page) => site.post(path, { name, based_on: basedOn(page), ...values }))
  }
  leadsTo(await save('full_name', { type: 'text', label: 'Full name' }), '/admin/forms/quote')
  const edited = { type: 'select', label: 'Your building', options: 'House/h\nFlat/f' }
  const refused = await readAnswer(await save('building', { ...edited, default_value: 'House' }), 422)
  const says = 'Visitors can’t submit this answer. Choose one of the options.'
  assert.equal(refused.mistakeOf('Default answer'), says)
  leadsTo(await save('building', { ...edited, default_value: 'h' }), '/admin/forms/quote')
})

test('issue 5, 3: forms in the admin without JavaScript', async (t) => {
  const site = await startAdmin(t, { prepare: ({ db }) => storeForm(db, 'quote', { name: 'Quote' }) })
  const { app } = site

  await t.test('the list names every form with its counts', async () => {
    await app.desk.accept('quote', { answer: 'hello' })
    const rows = (await site.open('/admin/forms')).part('table')
    const quote = rows.part('row', { name: /^Quote / })
    quote.getByRole('rowheader', { name: 'Quote /forms/quote' })
    quote.getByRole('cell', { name: 'active' })
    const count = quote.getByRole('link', { name: '1' })
    assert.equal(count.getAttribute('href'), '/admin/inbox?form=quote')
    const waitlist = rows.part('row', { name: /^Waitlist / })
    waitlist.getByRole('rowheader', { name: 'Waitlist /forms/waitlist · built in' })
    waitlist.getByRole('cell', { name: 'None yet' })
  })

  await t.test('a new form is a draft with a slug from its name', async () => {
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
    assert.equal(
      (await readAnswer(taken, 422)).mistakeOf('Address'),
      'Another form already has this address. Choose a different one.',
    )
    const nameless = await site.post('/admin/forms/new', { name: ' ' })
    assert.equal((await readAnswer(nameless, 422)).mistakeOf('Name'), 'Enter a name.')
  })

  await t.test('a field is added, with errors at their inputs', async () => {
    await storeForm(app.db, 'sized')
    const address = '/admin/forms/sized/fields/new'
    const typed = { type: 'select', name: 'Size', label: 'Size', options: '' }
    const wrong = await readAnswer(await site.post(address, typed), 422)
    assert.ok(wrong.mistakeOf('Key')?.startsWith('Enter up to 63 lowercase letters'))
    assert.ok(wrong.control('Key').hasAttribute('autofocus'))
    assert.ok(wrong.mistakeOf('Choices')?.startsWith('A select field needs at least one option'))
    const right = await site.post(address, { ...typed, name: 'size', options: 'Small/s\r\nLarge/l' })
    leadsTo(right, '/admin/forms/sized')
    const form = await findForm(app.db, 'sized')
    assert.deepEqual(form?.fields.at(-1)?.options, [
      { label: 'Small', value: 's' },
      { label: 'Large', value: 'l' },
    ])
  })

  await t.test('a setting that a question can’t have is explained in the words of the screen', async () => {
    await storeForm(app.db, 'ruled')
    const typed = { name: 'size', label: 'Size' }
    for (const [type, fields, label, says] of [
      ['file', { max_size: '30' }, 'Maximum size (MB)', 'Enter a number up to 25.'],
      ['file', { max_size: 'big' }, 'Maximum size (MB)', 'Enter a number of megabytes.'],
      [
        'text',
        { min_length: '9', max_length: '3' },
        'Minimum length',
        '9 is more than the maximum length, 3.',
      ],
      ['number', { min: '10', max: '5' }, 'Minimum', '10 is more than the maximum, 5.'],
      ['date', { min: '2026-12-31', max: '2026-01-01' }, 'Earliest date', '2026-12-31 is after 2026-01-01.'],
      ['date', { min: '2026-13-01' }, 'Earliest date', 'Enter a date as YYYY-MM-DD.'],
    ] as const) {
      const values = Object.entries(fields).map(([key, value]) => [`validation.${key}`, value])
      const posted = { type, ...typed, ...Object.fromEntries(values) }
      const wrong = await readAnswer(await site.post('/admin/forms/ruled/fields/new', posted), 422)
      assert.equal(wrong.mistakeOf(label), says)
    }
  })

  await t.test('changing the type shows its settings and saves nothing', async () => {
    const typed = { type: 'file', name: 'photo', label: 'Photo', step: 'type' }
    const page = await readAnswer(await site.post('/admin/forms/waitlist/fields/new', typed))
    assert.equal(page.control('Maximum size (MB)').name, 'validation.max_size')
    assert.equal(page.queryAllByRole('textbox', { name: /^Choices/ }).length, 0)
    assert.ok(page.control('Answer type').hasAttribute('autofocus'))
    assert.ok(!(await fieldsOf(site, 'waitlist'))?.includes('photo'))
  })

  await t.test('fields are moved by buttons and reordered', async () => {
    const fields = ['full_name', 'email', 'message', 'size'].map((name) => ({ name, label: name }))
    await storeForm(app.db, 'moved', { fields })
    const moved = await site.post('/admin/forms/moved/fields/order', { name: 'size', by: '-1' })
    leadsTo(moved, '/admin/forms/moved?focus=size:-1')
    const again = await site.open('/admin/forms/moved?focus=size:-1')
    assert.ok(again.getByRole('button', { name: 'Move size up' }).hasAttribute('autofocus'))
    assert.deepEqual(await fieldsOf(site, 'moved'), ['full_name', 'email', 'size', 'message'])
    await site.post('/admin/forms/moved/fields/order', {
      names: ['message', 'size', 'email', 'full_name'],
    })
    assert.deepEqual(await fieldsOf(site, 'moved'), ['message', 'size', 'email', 'full_name'])
    for (const posted of [{ by: '7' }, { name: 'İ', by: '1' }])
      assert.equal((await site.post('/admin/forms/moved/fields/order', posted)).status, 404)
  })

  await t.test('a field is changed and, after a confirmation, removed', async () => {
    const size = { type: 'select' as const, name: 'size', label: 'Size', options: ['Small/s', 'Large/l'] }
    const settings = { notifications: [{ to: ['clare@example.com'], when: { size: 'l' } }] }
    await storeForm(app.db, 'changed', { settings, fields: [size, { name: 'email', label: 'E-mail' }] })
    const editor = await site.open('/admin/forms/changed/fields/size')
    assert.equal(editor.valueOf('Choices'), 'Small/s\nLarge/l')
    const typed = { type: 'radio', name: 'size', label: 'Which size?', options: 'S\nM', required: 'on' }
    await site.post('/admin/forms/changed/fields/size', typed)
    const changed = (await findForm(app.db, 'changed'))?.fields[0]
    assert.deepEqual([changed?.type, changed?.label, changed?.required], ['radio', 'Which size?', true])
    const question = await site.open('/admin/forms/changed/fields/size/removal')
    question.getByText(/Earlier answers will stay/)
    question.getByText('This answer will always be empty in this email: clare@example.com.')
    assert.ok((await fieldsOf(site, 'changed'))?.includes('size'))
    await site.post('/admin/forms/changed/fields/size/removal')
    assert.deepEqual(await fieldsOf(site, 'changed'), ['email'])
  })

  await t.test(
    '§3 any status changes to any other, also for the built-in form, effective at once',
    async () => {
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
    },
  )

  await t.test(
    '§2.1 settings are saved, with mistakes at their inputs; the built-in form keeps its address',
    async () => {
      await storeForm(app.db, 'estimate', { name: 'Quote' })
      const typed = {
        name: 'Quote',
        status: 'active',
        slug: 'offer',
        'settings.success_heading': 'Thanks',
        'settings.anti_spam': 'on',
      }
      const wrong = await site.post('/admin/forms/estimate/settings', {
        ...typed,
        'settings.submit_label': 'x'.repeat(61),
        'settings.retention_days': '-1',
        'settings.redirect_url': '//x',
        'settings.success_body': '![The van](van.jpg)',
      })
      const refused = await readAnswer(wrong, 422)
      assert.equal(refused.mistakeOf('Button text'), 'Enter at most 60 characters.')
      assert.equal(refused.mistakeOf('Delete after (days)'), 'Enter a whole number of days, at least 1.')
      assert.ok(refused.mistakeOf('Redirect to')?.startsWith('Enter an address'))
      assert.equal(refused.mistakeOf('Text'), 'There is no picture “van.jpg” in pictures/.')
      const former = { name: /^Old redirect/ }
      assert.equal(refused.queryByRole('textbox', former), null)
      await storeForm(app.db, 'older', { settings: { success_redirect: '/done' } })
      ;(await site.open('/admin/forms/older/settings')).getByRole('textbox', former)
      const settings = await findSiteSettings(app.db)
      const now = new Date().toISOString()
      await saveSiteSettings(app.db, { ...settings, default_form: 'estimate' }, { now })
      leadsTo(await site.post('/admin/forms/estimate/settings', typed), '/admin/forms/offer/settings')
      assert.equal((await findSiteSettings(app.db)).default_form, 'offer')
      assert.equal((await findForm(app.db, 'offer'))?.settings.success_heading, 'Thanks')
      assert.equal(await findForm(app.db, 'estimate'), undefined)
      await site.post('/admin/forms/waitlist/settings', { ...typed, name: 'List', slug: 'other' })
      assert.equal((await findForm(app.db, 'waitlist'))?.name, 'List')
      const builtIn = await site.open('/admin/forms/waitlist/settings')
      builtIn.getByText(/you can’t change its address/)
      assert.equal(builtIn.queryAllByRole('textbox', { name: /^Address( \(optional\))?$/ }).length, 0)
      const before = await findForm(app.db, 'offer')
      const other = { ...typed, slug: 'waitlist', name: 'Renamed', 'settings.success_heading': 'Other' }
      const taken = await site.post('/admin/forms/offer/settings', other)
      assert.equal(
        (await readAnswer(taken, 422)).mistakeOf('Address'),
        'Another form already has this address. Choose a different one.',
      )
      assert.deepEqual(await findForm(app.db, 'offer'), before, 'nothing is stored')
      const both = await site.post('/admin/forms/offer/settings', {
        ...{ ...other, slug: 'No Slug', 'settings.retention_days': '-1' },
      })
      const mistaken = await readAnswer(both, 422)
      assert.ok(mistaken.mistakeOf('Address')?.startsWith('Use up to 80 lowercase letters'))
      assert.equal(mistaken.mistakeOf('Delete after (days)'), 'Enter a whole number of days, at least 1.')
      assert.deepEqual(await findForm(app.db, 'offer'), before)
    },
  )

  await t.test(
    'a copy is a draft; a form goes after its slug was typed, the built-in one never',
    async () => {
      await storeForm(app.db, 'copied', { name: 'Copied' })
      await app.desk.accept('copied', { answer: 'hello' })
      leadsTo(await site.post('/admin/forms/copied/copy', { name: 'Copied 2' }), '/admin/forms/copied-2')
      assert.equal((await findForm(app.db, 'copied-2'))?.status, 'draft')
      const question = await site.open('/admin/forms/copied/removal')
      question.getByText(/permanently delete 1 lead, along with/, { selector: 'p' })
      question.control('Type copied to confirm')
      assert.equal((await site.post('/admin/forms/copied/removal', { confirmation: 'no' })).status, 422)
      leadsTo(await site.post('/admin/forms/copied/removal', { confirmation: 'copied' }), '/admin/forms')
      assert.equal(await findForm(app.db, 'copied'), undefined)
      const [trashed] = await listTrash(app.db, { limit: 1 })
      const restored = await site.post(`/admin/trash/${trashed?.id}/restoration`)
      leadsTo(restored, '/admin/trash')
      assert.equal(messageOf(restored), '“Copied” restored to Forms. Publish to show the item on the site.')
      assert.equal((await findForm(app.db, 'copied'))?.status, 'active')
      await site.post('/admin/forms/copied-2/removal')
      const [draft] = await listTrash(app.db, { limit: 1 })
      const back = await site.post(`/admin/trash/${draft?.id}/restoration`)
      assert.equal(messageOf(back), '“Copied 2” restored to Forms.')
      assert.equal((await site.fetch('/admin/forms/waitlist/removal')).status, 404)
      assert.equal(
        (await site.post('/admin/forms/waitlist/removal', { confirmation: 'waitlist' })).status,
        404,
      )
      assert.ok(await findForm(app.db, 'waitlist'))
    },
  )

  await t.test('the preview shows unsaved input, and a trial post stores nothing', async () => {
    await storeForm(app.db, 'tried', { fields: [{ name: 'email', type: 'email', label: 'Email' }] })
    const path = '/admin/forms/tried/preview'
    const stored = await readAnswer(await site.fetch(path))
    const trial = stored.getByRole<HTMLButtonElement>('button', { name: 'Send' }).form
    assert.equal(trial?.getAttribute('action'), '/admin/forms/tried/trial')
    const typed = { type: 'radio', name: 'size', label: 'Which size?', options: 'Small/s' }
    const shown = (await readAnswer(await site.post(path, typed))).part('radiogroup', {
      name: /^Which size\?/,
    })
    assert.equal(shown.getByRole<HTMLInputElement>('radio', { name: 'Small' }).value, 's')
    const half = { type: 'select', name: 'No Key', label: 'Half' }
    ;(await readAnswer(await site.post(path, half))).control('Half')
    for (const long of ['x'.repeat(5_000), '🙂'.repeat(400), ' '.repeat(600)]) {
      const texts = { type: 'text', name: long, label: long, help_text: long, options: long }
      assert.equal((await site.post(path, texts)).status, 200)
    }
    const before = (await app.db.selectFrom('form_submissions').select('id').execute()).length
    const mistaken = await readAnswer(await site.post('/admin/forms/tried/trial', { email: 'nope' }))
    assert.equal(mistaken.mistakeOf('Email'), 'Enter an email address such as name@example.com')
    const right = { email: 'a@example.com' }
    const thanks = await readAnswer(await site.post('/admin/forms/tried/trial', right))
    thanks.getByRole('heading', { level: 1, name: 'Thank you' })
    assert.equal((await app.db.selectFrom('form_submissions').select('id').execute()).length, before)
  })

  await t.test('every change records its user, in the form and in the log', async () => {
    await site.post('/admin/forms/new', { name: 'Logged', beginning: 'contact' })
    await site.post('/admin/forms/logged/settings', { name: 'Log', slug: 'logged', status: 'draft' })
    for (const status of ['active', 'archived']) await site.post('/admin/forms/logged/status', { status })
    const row = await app.db
      .selectFrom('forms')
      .select(['id', 'updated_by'])
      .where('slug', '=', 'logged')
      .executeTakeFirstOrThrow()
    assert.equal(row.updated_by, site.administratorId)
    await site.post('/admin/forms/logged/removal', { confirmation: 'logged' })
    const log = await app.db
      .selectFrom('audit_log')
      .select(['action', 'user_id'])
      .where('subject_type', '=', 'form')
      .where('subject_id', '=', String(row.id))
      .orderBy('id')
      .execute()
    const actions = ['form.added', 'form.changed', 'form.active', 'form.archived', 'form.deleted']
    assert.deepEqual(
      log,
      actions.map((action) => ({ action, user_id: site.administratorId })),
    )
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

  await t.test('missing items return 404, in any spelling', async () => {
    for (const path of ['nobody', 'nobody/settings', 'nobody/preview', 'waitlist/fields/nobody', '__proto__'])
      assert.equal((await site.fetch(`/admin/forms/${path}`)).status, 404, path)
  })
})

test('the deletion of the default form names the home page', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  await storeForm(db, 'quote')
  await saveSiteSettings(
    db,
    { ...(await findSiteSettings(db)), default_form: 'quote' },
    { now: '2026-11-20T10:00:00.000Z' },
  )
  ;(await site.open('/admin/forms/quote/removal')).getByText(/^the form on these pages: Home page/)
})
