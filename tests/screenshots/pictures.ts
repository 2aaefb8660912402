import type { Page } from 'playwright-core'

interface Picture {
  /** Its file in `docs/pictures`, without the ending. */
  name: string
  path: string
  height: number
  isPhone?: true
  /** What is clicked before it is taken. */
  prepare?(page: Page): Promise<void>
}

/** The pictures of the guides. */
export const PICTURES: readonly Picture[] = [
  { name: 'page', path: '/services/ac-repair/hyde-park', height: 820 },
  { name: 'page-on-a-phone', path: '/services/ac-repair/hyde-park', height: 844, isPhone: true },
  { name: 'dashboard', path: '/admin', height: 900 },
  { name: 'inbox', path: '/admin/inbox', height: 890 },
  {
    name: 'lead',
    path: '/admin/inbox',
    height: 1080,
    prepare: (page) =>
      page
        .getByRole('link', { name: /Maria Sanchez/ })
        .first()
        .click(),
  },
  {
    name: 'service',
    path: '/admin/entries/services',
    height: 900,
    prepare: async (page) => {
      await page.getByRole('link', { name: 'AC repair' }).first().click()
      await page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor()
    },
  },
  { name: 'service-areas', path: '/admin/taxonomies/locations', height: 760 },
  { name: 'coverage', path: '/admin/coverage', height: 480 },
  { name: 'form', path: '/admin/forms/quote', height: 900 },
  { name: 'webhook', path: '/admin/forms/quote/webhooks/1', height: 1480 },
  {
    name: 'publish',
    path: '/admin/publish',
    height: 760,
    prepare: (page) => page.getByText('Comparing pages…').waitFor({ state: 'hidden' }),
  },
]
