import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_DIR } from './running-site.ts'

const PAGES = join(PROJECT_DIR, 'src', 'pages', 'admin')

const files = readdirSync(PAGES, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(astro|ts)$/.test(file) && !/(^|\/)_/.test(file))
  .sort()

/** The pattern of every page and endpoint of the admin, such as `/admin/users/[id]/removal`. */
export const adminRoutes = files.map(toRoute)

/** Those that respond with HTML. */
export const adminPages = files.filter((file) => file.endsWith('.astro')).map(toRoute)

function toRoute(file: string): string {
  return `/admin/${file.replace(/\.(astro|ts)$/, '')}`.replace(/\/index$/, '')
}
