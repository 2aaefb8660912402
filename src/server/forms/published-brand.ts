import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findCurrentRelease } from '../../publish/release/release.ts'
import type { LayoutView } from '../../site/pages/layout-view.ts'

type Brand = Pick<LayoutView, 'logo' | 'icon'>

/**
 * Returns the logo and the icon that pages made on demand can show. The files of a newly saved one exist after the next
 * publish; until then it is the former one, if its files exist, or what exists of the new one.
 */
export function publishedBrand(dataDir: string, { logo, icon }: Brand, before: Brand | undefined): Brand {
  const release = findCurrentRelease(dataDir)
  // A site that was built elsewhere has no releases.
  if (!release) return { logo, icon }
  const isThere = (path: string) => existsSync(join(release.siteDir, path))
  const isWhole = (brand: Brand) => pathsOf(brand).every(isThere)
  if (isWhole({ logo, icon })) return { logo, icon }
  if (before && isWhole(before)) return { logo: before.logo, icon: before.icon }
  const shownLogo = logo && isThere(logo.path) ? logo : null
  return {
    logo: shownLogo && (isWhole({ logo: shownLogo, icon: null }) ? shownLogo : { ...shownLogo, dark: null }),
    icon: icon && isWhole({ logo: null, icon }) ? icon : null,
  }
}

function pathsOf({ logo, icon }: Brand): string[] {
  const files = [logo, logo?.dark].flatMap((file) => (file ? [file.path] : []))
  return icon ? [...files, icon.favicon, icon.touch] : files
}
