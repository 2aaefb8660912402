import type { ComponentName } from '../../../src/integration/components.ts'

// Slots of this name in most components; `default` is the slot without a name.
const USUAL: Readonly<Record<string, string>> = {
  before: 'Before the component.',
  after: 'After the component.',
  text: 'At the top, after the heading and the text below it.',
  main: 'At the end of the main column, before the page’s sections. Doesn’t need a `shell`.',
}

const BELOW_TOP = { main: 'Below the top, at full width. Wrap the content in a `shell`.' }

const OWN: Readonly<Partial<Record<ComponentName, Readonly<Record<string, string>>>>> = {
  Layout: {
    head: 'In `<head>`, after Signpost’s tags.',
    default: 'The page itself, between the header and the footer.',
    end: 'At the end of the page, after the footer.',
  },
  Head: { default: 'After Signpost’s tags.' },
  Navigation: { before: 'Before the menu button.', after: 'After the links.' },
  PageTop: {
    text: 'The heading and the text below it.',
    picture: 'The main picture, below the text.',
    default: 'A column below the text, beside the form.',
    side: 'Beside the text, if there is no form.',
  },
  ArchivePage: BELOW_TOP,
  ThanksPage: BELOW_TOP,
  FormPage: {
    text: 'Beside the form.',
    main: 'Below the form, at full width. Wrap the content in a `shell`.',
  },
  LocationFacts: { default: 'At the end of the card.' },
  ContactCard: { default: 'At the end of the card.' },
  FormBlock: { after: 'Below the button.' },
  FormEmbed: { after: 'Below the button.' },
}

/** Returns where the content of a component's slot is shown. Throws if the slot has no description. */
export function describeSlot(component: ComponentName, slot: string): string {
  const text = OWN[component]?.[slot] ?? USUAL[slot]
  if (text === undefined)
    throw new Error(`Describe the slot ${slot} of ${component} in ${import.meta.filename}`)
  return text
}
