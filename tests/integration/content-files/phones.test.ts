import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { placed } from '../../support/wording.ts'
import { aService, getEntryOf, LOCATIONS, NOW, openWorkspace, type Workspace } from './workspace.ts'

const TWO_NUMBERS = '+353 (0)61 555 0142 / 087 123 4567'
const PLACE = 'location_services/ac-repair/austin.md'

async function mistakesOf(workspace: Workspace): Promise<string[]> {
  const result = await workspace.sync()
  assert.equal(result.kind, 'mistakes', JSON.stringify(result))
  return result.mistakes.map(placed)
}

async function warningsOf(workspace: Workspace): Promise<string[]> {
  const result = await workspace.sync()
  assert.equal(result.kind, 'synced', JSON.stringify(result))
  return result.warnings.map(placed)
}

function aSite(...lines: string[]) {
  return `name: Shannon Plumbing\n${lines.join('\n')}\n`
}

test('an undialable number is an error with its line and an example from the country', async (t) => {
  const workspace = await openWorkspace(t, {
    'site.yaml': aSite(
      'country: IE',
      `phone: ${TWO_NUMBERS}`,
      'phones:',
      '  - { label: Office, number: 061 555 }',
      '  - { label: Emergencies, number: 087 123 4567 }',
    ),
    'taxonomies/locations.yaml': LOCATIONS,
    'services/ac-repair.md': aService({ offeredIn: ['austin'] }),
    [PLACE]: '---\nphone: by appointment\n---\n',
  })
  assert.deepEqual(await mistakesOf(workspace), [
    `${PLACE}:2: phone is "by appointment", expected one valid phone number, such as +353 85 012 3456`,
    `site.yaml:3: phone is "${TWO_NUMBERS}", expected one valid phone number, such as +353 85 012 3456`,
    'site.yaml:5: phones[1].number is "061 555", expected one valid phone number, such as +353 85 012 3456',
  ])
})

test('numbers follow the site’s country, or else the United States', async (t) => {
  const workspace = await openWorkspace(t, { 'site.yaml': aSite('phone: 061 555 0142') })
  assert.match((await mistakesOf(workspace)).join(), /site\.yaml:2: .* such as \+1 201 555 0123$/)
  workspace.write('site.yaml', aSite('phone: 061 555 0142', 'country: ie'))
  await workspace.synced()
  assert.equal((await findSiteSettings(workspace.db)).country, 'IE')
})

test('a number synced before validation is a warning until it is edited', async (t) => {
  const site = aSite('phone: (512) 555-0142')
  const workspace = await openWorkspace(t, {
    'site.yaml': site,
    'taxonomies/locations.yaml': LOCATIONS,
    'services/ac-repair.md': aService({ offeredIn: ['austin'] }),
    [PLACE]: '---\nphone: (512) 555-0143\n---\n',
  })
  await workspace.synced()
  await storeAsBefore(workspace)
  workspace.write('site.yaml', aSite(`phone: ${TWO_NUMBERS}`))
  workspace.write(PLACE, '---\nphone: by appointment\n---\n')
  const warnings = await warningsOf(workspace)
  assert.equal(warnings.length, 2, warnings.join('\n'))
  workspace.write('site.yaml', aSite(`phone: ${TWO_NUMBERS}`, 'tagline: Warm homes'))
  assert.deepEqual(await warningsOf(workspace), warnings)
  assert.match(warnings.join('\n'), /austin\.md:2: phone is "by appointment"[\s\S]*site\.yaml:2: phone is /)

  workspace.write('site.yaml', aSite(`phone: ${TWO_NUMBERS}8`))
  assert.match((await mistakesOf(workspace)).join(), /^site\.yaml:2: /)
  workspace.write('site.yaml', aSite(`phone: ${TWO_NUMBERS}`, 'country: IE'))
  assert.match((await mistakesOf(workspace)).join(), /such as \+353 85 012 3456$/)
})

// The rows of a release that took any text for a phone number.
async function storeAsBefore(workspace: Workspace) {
  const settings = await findSiteSettings(workspace.db)
  await saveSiteSettings(workspace.db, { ...settings, phone: TWO_NUMBERS }, { now: NOW.toISOString() })
  const { id, data } = await getEntryOf(workspace, 'location_services', 'ac-repair/austin')
  const data_json = JSON.stringify({ ...data, phone: 'by appointment' })
  await workspace.db.updateTable('content_entries').set({ data_json }).where('id', '=', id).execute()
}

test('an unknown country is one error, not one for each number', async (t) => {
  const workspace = await openWorkspace(t, { 'site.yaml': aSite('country: UK', 'phone: 01632 960123') })
  assert.equal((await mistakesOf(workspace)).length, 1)
})
