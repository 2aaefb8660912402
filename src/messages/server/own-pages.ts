/** Why a site's own pages can’t be published. */
export const ownPageFailures = {
  readOutside:
    'Content was read outside a page. Call the signpost/content functions while a page renders, or in the page’s getStaticPaths',
  headIncomplete: (key: string) =>
    `getPageView needs a ${key}. Call getPageView({ path: Astro.url.pathname, title: '…', description: '…' })`,
  typeMissing: "getEntries needs the name of a content type, such as getEntries('projects')",
  addressTaken: (path: string) =>
    `A page in src/pages and another page both have the address ${path}. Rename the file, or change the other page’s slug`,
  fileTaken: (file: string, path: string) =>
    `public/${file} and a page both have the address ${path}. Rename the file, or change the page’s slug`,
  fileReserved: (file: string, path: string) =>
    `${file} uses the address ${path}, which is reserved for Signpost. Rename or delete the file`,
  fileWithoutAddress: (file: string) =>
    `${file} has a name that can’t be part of a URL. Use a name other than index, without # or ?`,
  routeTaken: (file: string, route: string) =>
    `${file} uses the address ${route}, which is reserved for Signpost. Rename the file, or replace that page’s component in astro.config.mjs`,
  pathsMissing: (file: string) =>
    `${file} has placeholders in its name but does not export getStaticPaths. Export getStaticPaths, or rename the file`,
  pathsInvalid: (file: string) =>
    `${file}: getStaticPaths must return a list such as [{ params: { slug: 'roof' } }]`,
  paramInvalid: (file: string, name: string, value: string) =>
    `${file}: getStaticPaths returned "${value}" for ${name}, which can’t be part of a URL. Return a value such as roof or 2026`,
  pathTwice: (file: string, path: string) =>
    `${file}: getStaticPaths returned the page ${path} twice. Return each page once`,
  paginated: (file: string) =>
    `${file} calls paginate(), which publishing does not support. Return one path for each page of the list`,
  renderedOnRequest: (file: string) =>
    `${file} exports prerender = false, but Signpost does not support on-demand rendering. Remove that line`,
  answered: (path: string, status: number) =>
    `The page ${path} returned status ${status}, but a published page always has status 200. Remove the redirect or the status from its file`,
  headerSet: (path: string, name: string) =>
    `The page ${path} sets the header ${name}, but published pages are files without headers. Remove the header from its file`,
  endpointBare: (path: string) =>
    `The endpoint ${path} has no file extension. Add one to the name of its file in src/pages, such as data.json.ts`,
  handlerMissing: (file: string) => `${file} does not export GET. Export a function named GET`,
}

/** Names for the content that own pages read. */
export const ownContentLabels = { layout: 'header and footer', site: 'site settings', places: 'places' }
