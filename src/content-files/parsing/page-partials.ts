import { readdirSync } from 'node:fs'

const FOLDER = new URL('../../components/partials/', import.meta.url)

/** What `detail_partial` may say (§2.9): `location_service_detail` is the component LocationServiceDetail.astro. */
export function listPagePartials(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.astro'))
    .map((file) =>
      file
        .slice(0, -'.astro'.length)
        .replace(/(?<!^)[A-Z]/g, '_$&')
        .toLowerCase(),
    )
}
