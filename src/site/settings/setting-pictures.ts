import { sectionFields } from '../../entries/sections/fields-of-type.ts'
import { picturesInFields, withPictureNames as withNamesIn } from '../../entries/types/picture-fields.ts'
import { pictureName } from '../../pictures/picture.ts'
import type { SiteSettings } from './site-settings.ts'

const ONE = [
  ['logo'],
  ['logo_dark'],
  ['icon'],
  ['home', 'hero'],
  ['home', 'before_picture'],
  ['home', 'after_picture'],
] as const
const MANY = ['home', 'gallery'] as const

const OWN = sectionFields('home').filter(
  ({ type }) => type === 'picture' || type === 'pictures' || type === 'list',
)

/** Lists the pictures that settings name, as written in a file or form, and where each name is. */
export function picturesInSettings(settings: unknown): { path: PropertyKey[]; name: string }[] {
  const gallery = valueAt(settings, MANY)
  return [
    ...ONE.map((path) => ({ path: [...path], name: valueAt(settings, path) })),
    ...(Array.isArray(gallery) ? gallery.map((name, index) => ({ path: [...MANY, index], name })) : []),
    ...picturesInFields(OWN, valueAt(settings, ['home'])).map(({ path, name }) => ({
      path: ['home', ...path],
      name,
    })),
  ].flatMap(({ path, name }) =>
    typeof name === 'string' && name !== '' ? [{ path, name: pictureName(name) }] : [],
  )
}

/** Returns the settings with picture names replaced by the stored names. */
export function withPictureNames(settings: SiteSettings): SiteSettings {
  const { logo, logo_dark, icon, home } = settings
  const { hero, gallery, before_picture, after_picture } = home
  return {
    ...settings,
    ...(logo && { logo: pictureName(logo) }),
    ...(logo_dark && { logo_dark: pictureName(logo_dark) }),
    ...(icon && { icon: pictureName(icon) }),
    home: {
      ...(withNamesIn(OWN, home) as typeof home),
      ...(hero && { hero: pictureName(hero) }),
      ...(gallery && { gallery: gallery.map(pictureName) }),
      ...(before_picture && { before_picture: pictureName(before_picture) }),
      ...(after_picture && { after_picture: pictureName(after_picture) }),
    },
  }
}

function valueAt(settings: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    return isObject ? (value as Record<string, unknown>)[key] : undefined
  }, settings)
}
