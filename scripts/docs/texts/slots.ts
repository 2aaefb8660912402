import type { ComponentName } from '../../../src/integration/components.ts'

// Slots of this name in most components; `default` is the slot without a name.
const USUAL: Readonly<Record<string, string>> = {
  before: 'Before the component.',
  after: 'After the component.',
  text: 'At the top of the page, below the heading, introduction, and buttons.',
  main: 'At the end of the main column, before the page’s sections.',
}

const BELOW_TOP = {
  main: 'Below the top of the page, at full width. To limit the width, use the class [`shell`](#class-names).',
}

const OWN: Readonly<Partial<Record<ComponentName, Readonly<Record<string, string>>>>> = {
  Layout: {
    head: 'In `<head>`, after Signpost’s tags.',
    default: 'The page’s content, between the header and the footer.',
    end: 'At the end of `<body>`, after the footer.',
  },
  Head: { default: 'After Signpost’s tags.' },
  Navigation: { before: 'Before the menu button.', after: 'After the links.' },
  PageTop: {
    text: 'In the band, for the heading and introduction.',
    picture: 'Below the text, for the main picture.',
    default: 'Below the picture and next to the form, for the main column.',
    side: 'Next to the text and the main column. This slot is not shown if the page has a form.',
  },
  ArchivePage: BELOW_TOP,
  ThanksPage: BELOW_TOP,
  FormPage: {
    text: 'Next to the form.',
    main: 'Below the form, at full width. To limit the width, use the class [`shell`](#class-names).',
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
