const FILE = 'astro.config.mjs'
const ACCEPT = 'Correct it, or run signpost upgrade --accept to write the file again'

const meant = (near: string | undefined) => (near === undefined ? '' : ` Did you mean "${near}"?`)

/** Errors in the options of `signpost()`, and in the record of its components. */
export const integrationTexts = {
  oldNode: (needed: string, version: string) =>
    `Signpost needs Node ${needed}, but this is ${version}. Run npx signpost in the site’s folder, which has its own Node`,
  notASite: `This folder has no ${FILE}. Run signpost in a site’s folder`,
  otherExtension: (file: string) => `Signpost reads ${FILE} only. Rename ${file} to ${FILE}`,
  optionUnknown: (name: string, near: string | undefined, names: string) =>
    `${FILE}: signpost() has no option "${name}".${meant(near)} Options: ${names}`,
  baseUnsupported: `${FILE}: Signpost does not support base. Remove it, and give the site its own host name`,
  prefixUnsupported: `${FILE}: Signpost does not support build.assetsPrefix. Remove it, and put the CDN in front of the whole site`,
  redirectsUnsupported: `${FILE}: Signpost does not support redirects. Remove them, and list old URLs under redirect_from in content files`,
  foldersUnsupported: `${FILE}: Signpost does not support srcDir, publicDir, build.client, build.server, or build.serverEntry. Remove them`,
  sitemapUnsupported: `${FILE}: @astrojs/sitemap would replace Signpost’s sitemap. Remove it`,
  nameUnknown: (name: string, near: string | undefined, names: string) =>
    `${FILE}: signpost() cannot replace "${name}".${meant(near)} You can replace: ${names}`,
  notAPath: (name: string) =>
    `${FILE}: signpost() cannot replace ${name}: its value must be a path, such as './src/components/${name}.astro'`,
  fileMissing: (name: string, file: string) =>
    `${FILE}: signpost() cannot replace ${name}: ${file} does not exist. Create it, or remove the name`,
  notAComponent: (name: string, file: string) =>
    `${FILE}: signpost() cannot replace ${name}: ${file} is not an .astro file. Use a file such as ${name}.astro`,
  changesUnnoticed: (file: string) =>
    `Publishing won’t detect changes to ${file}. Move the file into src, or import it by a relative path`,
  fontMissing: (place: string, name: string, file: string) =>
    `${place}: ${file} for the font ${name} does not exist. Add the file, or correct its path`,
  recordUnreadable: (place: string, reason: string) => `${place} is not valid JSON: ${reason}. ${ACCEPT}`,
  recordInvalid: (file: string, key: string, reason: string) =>
    `${file} has an invalid value for "${key}": ${reason}. ${ACCEPT}`,
}
