import type { Page } from 'playwright-core'
import type { FormFile } from './forms.ts'
import { PNG } from './uploads.ts'

/** A form with every type of field, and a rule on each. */
export const EVERY_FIELD: FormFile = {
  name: 'Everything',
  description: 'One question of each kind.',
  settings: { success_heading: 'All is well', success_body: 'We **read** it.', honeypot: 'company_website' },
  fields: [
    {
      name: 'full_name',
      label: 'Your name',
      required: true,
      validation: { max_length: 20 },
      help_text: 'As on your letters',
    },
    { name: 'email', type: 'email', label: 'E-mail', required: true, placeholder: 'ada@example.com' },
    { name: 'phone', type: 'phone', label: 'Phone' },
    { name: 'message', type: 'textarea', label: 'Message', validation: { min_length: 5 } },
    { name: 'size', type: 'select', label: 'Size', required: true, options: ['Small/s', 'Large/l'] },
    {
      name: 'building',
      type: 'radio',
      label: 'Building',
      required: true,
      options: ['House/h', 'Flat/f'],
      help_text: 'Where you live',
    },
    { name: 'extras', type: 'checkbox', label: 'Extras', required: true, options: ['Garden/g', 'Pool/p'] },
    {
      name: 'terms',
      type: 'checkbox',
      label: 'I agree',
      required: true,
      validation: { message: 'Please agree first.' },
    },
    { name: 'campaign', type: 'hidden', label: 'Campaign', default_value: 'spring' },
    { name: 'website', type: 'url', label: 'Website' },
    { name: 'budget', type: 'number', label: 'Budget', validation: { min: 1 } },
    { name: 'day', type: 'date', label: 'Day', validation: { min: '2026-06-01' } },
    {
      name: 'photo',
      type: 'file',
      label: 'Photo',
      validation: { accept: 'image/*,.pdf', max_size: 1_572_864 },
    },
  ],
}

/** Fills every field with a value that its rule refuses. */
export async function fillWrong(page: Page): Promise<void> {
  const texts = {
    email: 'ada@',
    phone: 'call me',
    message: 'hey',
    website: 'example.com',
    budget: '0',
    day: '2026-01-01',
  }
  for (const [name, text] of Object.entries(texts)) await page.locator(`[name=${name}]`).fill(text)
  await page
    .locator('[name=photo]')
    .setInputFiles({ ...PHOTO, name: 'roof.txt', buffer: Buffer.from('text') })
}

/** A file that the form accepts. */
export const PHOTO = { name: 'roof.png', mimeType: 'image/png', buffer: PNG }

/** Fills every field with a valid value; `RIGHT_ANSWERS` is what is then stored. */
export async function fillRight(page: Page): Promise<void> {
  const texts = {
    ...{
      full_name: 'Ada Lovelace',
      email: 'ada@example.com',
      phone: '+44 20 7946 0958',
      message: 'Hello there',
    },
    ...{ website: 'https://example.com/', budget: '2.5', day: '2026-12-24' },
  }
  for (const [name, text] of Object.entries(texts)) await page.locator(`[name=${name}]`).fill(text)
  await page.locator('[name=size]').selectOption('l')
  for (const box of ['building][value=f', 'extras][value=g', 'terms'])
    await page.locator(`[name=${box}]`).check()
  await page.locator('[name=photo]').setInputFiles(PHOTO)
}

/** Returns the stored answers without the upload ID, which tests don't know. */
export function readAnswers(dataJson: string | undefined) {
  return JSON.parse(dataJson ?? 'null', (key, value) => (key === 'upload_id' ? undefined : value))
}

export const RIGHT_ANSWERS = {
  ...{
    full_name: 'Ada Lovelace',
    email: 'ada@example.com',
    phone: '+44 20 7946 0958',
    message: 'Hello there',
  },
  ...{ size: 'l', building: 'f', extras: ['g'], terms: true, campaign: 'spring' },
  ...{ website: 'https://example.com/', budget: 2.5, day: '2026-12-24' },
  photo: { name: PHOTO.name, size: PNG.length, type: 'image/png' },
}
