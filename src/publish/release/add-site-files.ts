import type { Db } from '../../db/schema.ts'
import type { Picture } from '../../pictures/picture.ts'
import type { SiteContent } from '../../site/content/site-content.ts'
import type { SharePicture } from '../../site/pages/share-picture.ts'
import { siteFiles } from '../../site/pages/site-files.ts'
import { themeStylesheet } from '../../site/theme/theme-stylesheet.ts'
import { addEntryPictures } from '../pictures/entry-pictures.ts'
import { addPictures } from '../pictures/share-pictures.ts'
import { addSiteIcon } from '../pictures/site-icons.ts'
import { writeEmbeds } from '../render/write-embeds.ts'
import type { SitePlace } from '../shared/shared-site.ts'
import type { Release } from './release.ts'
import type { SiteFiles } from './site-writer.ts'

interface SiteParts extends SitePlace {
  db: Db
  content: SiteContent
  /** Share pictures to draw. */
  drawings: readonly SharePicture[]
  /** The pictures that pages show. */
  pictures: ReadonlyMap<string, Picture>
  /** Folder of the templates' assets. */
  clientDir: string
  /** The previous release. */
  live?: Release | undefined
  /** Called after each share picture. */
  onPicture?: () => void
}

/**
 * Adds to a site, whose pages are on disk, its other files: the theme, pictures, and scripts that embed its forms on
 * other sites. Returns warnings about forms that can't be embedded.
 */
export async function addSiteFiles(
  writer: SiteFiles,
  site: Pick<Release, 'siteDir'>,
  { db, dataDir, shared, content, drawings, pictures, clientDir, live, onPicture }: SiteParts,
): Promise<string[]> {
  const theme = themeStylesheet(content.settings.theme)
  const texts = [...siteFiles(content.layout), [theme.path, theme.css] as const]
  for (const [path, text] of texts) writer.write(path.slice(1), text)
  await addPictures(drawings, { dataDir, writer, live, onPicture })
  addEntryPictures(pictures, { dataDir, writer })
  await addSiteIcon(db, content, { dataDir, shared, writer, live })
  return writeEmbeds(site, { content, writer, clientDir })
}
