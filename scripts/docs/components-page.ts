import { readFileSync } from 'node:fs'
import { COMPONENTS, type ComponentName } from '../../src/integration/components.ts'
import { propsOf, slotsOf } from '../../src/integration/upgrades/component-facts.ts'
import { classNamesSection } from './class-names-section.ts'
import { table } from './markdown.ts'
import { COMPONENT_TEXTS } from './texts/components.ts'
import { describeSlot } from './texts/slots.ts'
import { viewsSection } from './views-section.ts'

/** Makes the page of the components that a site or a look can replace: their props and slots, from their sources. */
export function componentsPage(): string {
  const names = Object.keys(COMPONENTS) as ComponentName[]
  return `${[INTRODUCTION, ...names.map(sectionOf), viewsSection(), classNamesSection()].join('\n\n')}\n`
}

const INTRODUCTION = `# Components

This page lists the components that you can replace in [a site of your own](../own-site.md#replace-a-component). To replace components
in many sites, make a [look](../looks.md).

A replacement gets the same props as the original. To declare their types, use \`ComponentProps\` from \`astro/types\`. [Data](#data)
lists the fields of the objects in the props. \`npm run docs\` generates this page from the source code.`

function sectionOf(name: ComponentName): string {
  const source = readFileSync(new URL(`../../src/${COMPONENTS[name]}`, import.meta.url), 'utf8')
  const props = Object.entries(propsOf(source)).map(([prop, type]) => {
    const plain = prop.replace('?', '')
    return [`\`${prop}\``, `\`${type}\``, describeProp(source, plain, name)]
  })
  const slots = slotsOf(source)
  return [
    `## \`${name}\``,
    COMPONENT_TEXTS[name],
    ...(props.length > 0 ? [table(['prop', 'type', 'meaning'], props)] : []),
    ...(slots.length > 0
      ? [
          table(
            ['slot', 'position'],
            slots.map((slot) => slotRow(name, slot)),
          ),
        ]
      : []),
  ].join('\n\n')
}

function slotRow(name: ComponentName, slot: string): string[] {
  return [slot === 'default' ? 'default (unnamed)' : `\`${slot}\``, describeSlot(name, slot)]
}

function describeProp(source: string, prop: string, name: string): string {
  const [, text] =
    new RegExp(`/\\*\\*\\s*((?:(?!\\*/).)*?)\\s*\\*/\\s*(?:readonly )?${prop}\\??:`, 's').exec(source) ?? []
  if (text === undefined) throw new Error(`Describe the prop ${prop} of ${name} in its source`)
  return text.replace(/\s*\n\s*\*\s*/g, ' ')
}
