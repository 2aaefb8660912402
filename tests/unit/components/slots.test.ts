import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { COMPONENTS, type ComponentName } from '#src/integration/components.ts'
import { slotsOf } from '#src/integration/upgrades/component-facts.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'

const LOOKS = ['src/components/looks/quiet', 'looks/photographic']

for (const [what, names, slots] of [
  ['pages', (Object.keys(COMPONENTS) as ComponentName[]).filter(isPage), ['text', 'main']],
  [
    'sections',
    ['Steps', 'Testimonials', 'Faq', 'Gallery', 'BeforeAfter', 'Hero', 'ServiceCards', 'Breadcrumbs'],
    ['before', 'after'],
  ],
  ['parts of the frame', ['Header', 'Footer', 'Navigation'], ['before', 'after']],
] as const)
  test(`${what} have slots for what a site adds`, () => {
    for (const name of names)
      for (const slot of slots)
        assert.ok(slotsIn(`src/${COMPONENTS[name]}`).includes(slot), `${name} ${slot}`)
  })

test('a look’s component has the slots of the one that it replaces', () => {
  const missing = LOOKS.flatMap((folder) =>
    readdirSync(join(PROJECT_DIR, folder)).flatMap((file) => {
      const name = file.replace(/\.astro$/, '') as ComponentName
      if (!(name in COMPONENTS)) return []
      const slots = slotsIn(join(folder, file))
      return slotsIn(`src/${COMPONENTS[name]}`)
        .filter((slot) => !slots.includes(slot))
        .map((slot) => `${folder}/${file}: ${slot}`)
    }),
  )
  assert.deepEqual(missing, [])
})

function isPage(name: ComponentName): boolean {
  return name.endsWith('Page')
}

function slotsIn(file: string): string[] {
  return slotsOf(readFileSync(join(PROJECT_DIR, file), 'utf8'))
}
