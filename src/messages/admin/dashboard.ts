import { countOf } from '../plural.ts'
import { allPages } from './publish.ts'

const LEADS = { one: 'lead', other: 'leads' }
const ATTEMPTS = { one: 'attempt', other: 'attempts' }
const LOCAL_PAGES = { one: 'local page', other: 'local pages' }

const number = (count: number) => count.toLocaleString('en')

/** Labels of the dashboard's plots. */
export const dashboardLabels = {
  deletedForm: 'Deleted form',
  deletedLeads: 'Deleted leads',
  delivered: 'Delivered',
  failed: 'Failed',
}

/** The dashboard. */
export const dashboardTexts = {
  title: 'Dashboard',
  lead: 'See new leads, deliveries, and anything that needs your attention.',
  openInbox: 'Open inbox',
  table: 'Show as table',
  tableOf: (title: string) => `${title}, as a table`,
  canvas: (title: string, lead: string) => `${title}. ${lead}`,
  others: (count: number) => `${count} others`,
  day: 'Day',
}

/** Leads by day. */
export const leadsPanel = {
  title: 'Leads per day',
  lead: ({ total, today }: { total: number; today: number }) =>
    `${countOf(total, LEADS)} in the last 30 days, ${number(today)} today, excluding spam.`,
  empty: 'No leads in the last 30 days.',
  try: 'To test a form, submit it on its page. The lead will appear in the inbox.',
  forms: 'Show forms',
}

/** Pages that search engines list. */
export const searchPanel = {
  title: ({ listed, pages }: { listed: number; pages: number }) => {
    if (listed < pages) return `${number(listed)} of ${countOf(pages, LOCAL_PAGES)} can appear in search`
    return pages === 1
      ? 'Your local page can appear in search'
      : `All ${number(pages)} local pages can appear in search`
  },
  missing: (count: number) =>
    count === 1 ? 'Show the page missing from search' : `Show ${number(count)} pages missing from search`,
  text: 'Search engines skip local pages that repeat one another. Write a few sentences about each place.',
}

/** Deliveries and their response times. */
export const deliveriesPanel = {
  title: 'Webhook deliveries',
  lead: ({ share, total }: { share: number; total: number }) =>
    `${share}% of ${countOf(total, ATTEMPTS)} in the last 30 days succeeded. Failed attempts are retried.`,
  empty: 'No deliveries in the last 30 days.',
  emptyText: 'Webhooks send leads to a CRM, a chat app, or a spreadsheet.',
  webhooks: 'Show webhooks',
  timesTitle: 'Response times',
  times: ({ half, most }: { half: string; most: string }) =>
    `50% of attempts finished within ${half}, and 95% within ${most}.`,
  attempts: 'Attempts',
  time: 'Time',
}

interface ContentLead extends Record<'live' | 'pending' | 'drafts' | 'edited', number> {
  unpublished: string | undefined
}

/** Content by status. */
export const contentPanel = {
  title: 'Content by status',
  // `unpublished`: in the words of the Publish screen.
  lead: ({ unpublished, live, pending, drafts, edited }: ContentLead) => {
    const ofLive = edited > 0 ? `, ${number(edited)} of them for live pages` : ''
    const all = countOf(drafts, { one: 'draft', other: 'drafts' })
    return `${unpublished ?? `${number(pending)} with unpublished changes`}, ${number(live)} live, ${all}${ofLive}.`
  },
  others: {
    setting: 'Settings',
    term: 'Places and categories',
    form: 'Forms',
    picture: 'Pictures',
    taxonomy: 'Category lists',
    type: 'Content types',
  },
  show: 'Show unpublished changes',
  kind: 'Type',
  empty: 'No content yet.',
  write: 'Add your first service',
}

/** Webhooks, the latest publish, and the disk. */
export const statePanel = {
  webhooks: 'Webhooks that need attention',
  working: 'All webhooks are working.',
  of: (form: string) => `(${form})`,
  off: 'off',
  failing: 'failing',
  since: 'Since',
  allWebhooks: 'Show all webhooks',
  mail: 'Emails that need attention',
  mailsFailing: (count: number) =>
    `${countOf(count, { one: 'lead email', other: 'lead emails' })} not sent yet`,
  publish: 'Latest publish',
  pages: ({ all, added, changed, removed }: Record<'all' | 'added' | 'changed' | 'removed', number>) =>
    `${allPages(all)}: ${added} added, ${changed} changed, ${removed} removed.`,
  openPublish: 'Publish',
  notPublished: 'Nothing is published yet.',
  publishSite: 'Publish site',
  storage: 'Storage',
  database: 'Database',
  disk: 'Disk',
  free: ({ free, total }: Record<'free' | 'total', string>) => `${free} free of ${total}`,
  used: ({ used, total }: Record<'used' | 'total', string>) => `Disk: ${used} of ${total} used`,
}

/** Other servers on the same database. */
export const serversNotice = {
  title: 'Other servers use this database with their own data folders',
  text: 'Publish and roll back the site on each server. Visitors’ files open only on the server that received them.',
  shows: (release: string) => `shows release ${release}`,
  noRelease: 'has no release yet',
}
