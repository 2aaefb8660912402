/** The toolbar above a text in Markdown. */
export const markdownTexts = {
  toolbar: 'Formatting',
  bold: 'Bold',
  italic: 'Italic',
  heading: 'Subheading',
  bullets: 'Bulleted list',
  numbers: 'Numbered list',
  quote: 'Quote',
  link: 'Link',
}

/** Text that the browser keeps until it is saved. */
export const keptTexts = {
  found: (time: string) => `You have unsaved text from ${time}.`,
  foundOlder: (time: string) => `You have unsaved text from ${time}. The page was saved since then.`,
  restore: (time: string) => `Restore text from ${time}`,
  discard: 'Discard',
}

/** The help about keys. */
export const keyTexts = {
  title: 'Keyboard shortcuts',
  mac: 'On a Mac, press Cmd instead of Ctrl.',
  list: [
    { keys: ['Ctrl', 'S'], label: 'Save' },
    { keys: ['Ctrl', 'B'], label: 'Bold' },
    { keys: ['Ctrl', 'I'], label: 'Italic' },
    { keys: ['Ctrl', 'K'], label: 'Link' },
    { keys: ['Ctrl', 'Enter'], label: 'Show or hide preview' },
  ],
}
