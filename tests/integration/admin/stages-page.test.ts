import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { loadReport } from '#src/submissions/results/load-report.ts'
import { applyStages } from '#src/submissions/stages/apply-stages.ts'
import { findStages } from '#src/submissions/stages/stage-store.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { readAnswer } from '../../support/pages/read-page.ts'
import { newestChanges } from '../../support/pages/told.ts'

const PAGE = '/admin/settings/stages'

async function addLeads({ app: { db } }: AdminSite, stages: readonly string[]) {
  const row = { form_id: 1, submitted_at: '2026-11-20T10:00:00.000Z', data_json: '{"full_name":"Ann"}' }
  await db
    .insertInto('form_submissions')
    .values(stages.map((stage) => ({ ...row, stage, is_won: stage === 'won' ? (1 as const) : (0 as const) })))
    .execute()
}

// The form as a browser would send it back, with some fields changed.
async function post(site: AdminSite, changes: Record<string, string>) {
  const page = await site.open(PAGE)
  const { form } = page.getByRole<HTMLButtonElement>('button', { name: 'Save stages' })
  assert.ok(form?.checkValidity(), 'a browser would not send it')
  const fields = [...(form?.querySelectorAll<HTMLInputElement>('[name]') ?? [])]
  return site.post(PAGE, {
    ...Object.fromEntries(fields.map(({ name, value }) => [name, value])),
    ...changes,
  })
}

async function stagesOf({ app: { db } }: AdminSite): Promise<string[]> {
  const rows = await db.selectFrom('form_submissions').select('stage').orderBy('id').execute()
  return rows.map(({ stage }) => stage)
}

test('stages are renamed, ordered, and added, and leads keep theirs', async (t) => {
  const site = await startAdmin(t)
  await addLeads(site, ['quoted', 'new'])
  const saved = await post(site, {
    'name.quoted': 'Estimate sent',
    'position.quoted': '5',
    'position.won': '4',
    'name.+': 'Site visit',
    'position.+': '2',
  })
  assert.equal(saved.headers.get('location'), PAGE)
  const stages = await findStages(site.app.db)
  assert.deepEqual(
    stages.map(({ slug, name }) => `${slug}: ${name}`),
    [
      'new: New',
      'site-visit: Site visit',
      'contacted: Contacted',
      'won: Won',
      'lost: Lost',
      'quoted: Estimate sent',
    ],
  )
  assert.deepEqual(await newestChanges(site), [
    'Changed the lead stages: New, Site visit, Contacted, Won, Lost, Estimate sent',
  ])
  const inbox = await site.open('/admin/inbox?stage=quoted')
  assert.ok(inbox.getAllByText('Estimate sent').length > 0)
  const exported = JSON.parse(await (await site.fetch('/admin/inbox/export.json?stage=quoted')).text())
  assert.deepEqual(
    exported.map((lead: { stage: string; assignee: string | null }) => [lead.stage, lead.assignee]),
    [['Estimate sent', null]],
  )
})

test('a stage that was to be removed can get its name back', async (t) => {
  const site = await startAdmin(t)
  await addLeads(site, ['quoted'])
  const page = await readAnswer(await post(site, { 'name.quoted': '' }), 422)
  const stage = page.part('group', { name: 'Stage: Quoted' })
  stage.control('Name').value = 'Estimate sent'
  const { form } = stage.getByRole<HTMLSelectElement>('combobox', { name: 'Move leads into' })
  assert.ok(form?.checkValidity(), 'a browser would not send it')
})

test('a stage with leads is removed only with a replacement', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  await addLeads(site, ['quoted', 'won', 'lost'])
  const removal = { 'name.quoted': '', 'name.contacted': '' }
  const refused = await post(site, removal)
  const page = await readAnswer(refused, 422)
  page.getByText('Some leads are in the stage Quoted. Choose a stage for them.', { exact: false })
  assert.equal((await post(site, { ...removal, 'into.quoted': 'contacted' })).status, 422, 'it goes too')
  assert.equal((await post(site, { ...removal, 'name.new': '', 'into.quoted': 'won' })).status, 422)
  assert.equal((await post(site, { ...removal, 'into.quoted': 'won' })).status, 303)
  const list = await site.open('/admin/inbox?stage=won')
  assert.equal(list.getAllByRole('checkbox', { name: /Ann/ }).length, 2, 'at once')
  await applyStages(db)
  assert.deepEqual(await stagesOf(site), ['won', 'won', 'lost'])
  const won = async () => (await loadReport(db, { period: '2026-11', scope: EVERY_LEAD })).total.won
  assert.equal(await won(), 2)
  await post(site, { 'counts.lost': 'won', 'counts.won': '' })
  await applyStages(db)
  assert.equal(await won(), 1)
  assert.deepEqual(
    (await findStages(db)).map(({ slug, counts_as, replaces }) => [slug, counts_as, replaces]),
    [
      ['new', undefined, undefined],
      ['won', undefined, ['quoted']],
      ['lost', 'won', undefined],
    ],
  )
})
