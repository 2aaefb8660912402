/** Why a site's own pages can’t be published. */
export const ownPageFailures = {
  readOutside:
    'Content was read outside a page. Call the functions of signpost/content while a page renders, or in its getStaticPaths',
  addressTaken: (path: string) =>
    `A page in src/pages and another page both have the address ${path}. Rename the file, or change the slug of the other page`,
  routeTaken: (file: string, route: string) =>
    `${file} uses the address ${route}, which belongs to Signpost. Rename the file, or replace the component of that page in astro.config.mjs`,
  pathsMissing: (file: string) =>
    `${file} has placeholders in its name, but no getStaticPaths. Export getStaticPaths, or rename the file`,
  paginated: (file: string) =>
    `${file} calls paginate(), which a publish does not support. Return one path for each part of the list`,
  answered: (path: string, status: number) => `The page ${path} answered with status ${status}`,
  handlerMissing: (file: string) => `${file} has no GET. Export a function GET`,
}

/** Names for the content that own pages read. */
export const ownContentLabels = { layout: 'header and footer', site: 'site settings', places: 'places' }
