import { countOf } from '../plural.ts'

const LEADS = { one: 'lead', other: 'leads' }
const FILES = { one: 'file', other: 'files' }
const TEXTS = { one: 'other item', other: 'other items' }

interface Counted {
  leads: number
  files: number
  texts: number
}

/** Texts of `npm run privacy`. */
export const privacyCommandTexts = {
  found: (label: string, count: number) => `${String(count).padStart(8)}  ${label}`,
  lead: (ids: readonly number[]) => `          IDs: ${ids.join(', ')}`,
  copy: (text: string) => `          ${text}`,
  until: (time: string) => `This data stays in daily backups until ${time}.`,
  exported: (file: string, { leads, files }: Omit<Counted, 'texts'>) =>
    `${file}: ${countOf(leads, LEADS)}, ${countOf(files, FILES)}`,
  erased: ({ leads, files, texts }: Counted) =>
    `Erased ${countOf(leads, LEADS)}, ${countOf(files, FILES)}, and ${countOf(texts, TEXTS)}.`,
  notErased: 'Nothing was erased. Add --yes to erase.',
  fileExists: (file: string) => `${file} already exists. Choose another name`,
  operator: 'Command line',
  address: 'this machine',
}
