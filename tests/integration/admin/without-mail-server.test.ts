import { test } from 'node:test'
import { startAdmin } from '../../support/admin.ts'
import { storeForm } from '../../support/forms.ts'
import { readAnswer } from '../../support/pages/read-page.ts'

const OFF = 'Notifications are not sent: set SMTP_URL and MAIL_FROM.'

test('every screen about email shows that no mail server is set up', async (t) => {
  const notifications = [{ to: ['office@example.com'] }]
  const site = await startAdmin(t, {
    prepare: ({ db }) => storeForm(db, 'quote', { settings: { notifications } }),
  })
  const { id } = await site.app.db
    .insertInto('form_submissions')
    .values({ form_id: await formId(), data_json: '{}', submitted_at: new Date().toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const says = async (path: string, text: string) => {
    await t.test(path, async () => {
      const page = await site.open(path)
      page.getByText((_, element) => element?.textContent?.trim() === text && element.children.length === 0)
    })
  }
  await says(`/admin/inbox/${id}`, OFF)
  for (const path of ['emails', 'emails/new', 'emails/0', 'emails/reply'])
    await says(`/admin/forms/quote/${path}`, OFF)
  await says('/admin/forms/quote/settings', OFF)
  await says('/admin/reports', 'Reports by email need a mail server. Set SMTP_URL on the server.')
  await says('/admin/account', 'Reports by email need a mail server. Set SMTP_URL on the server.')
  await t.test('the sign-in page', async () => {
    const page = await readAnswer(await fetch(`${site.url}/admin/login`))
    page.getByText(/^Forgot your password\? This server can’t send email\./)
  })

  async function formId(): Promise<number> {
    const row = await site.app.db
      .selectFrom('forms')
      .select('id')
      .where('slug', '=', 'quote')
      .executeTakeFirst()
    return row?.id ?? 0
  }
})
