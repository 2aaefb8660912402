import sprite from '#src/assets/sprite.svg?url'
import { SERVICE_ICONS } from '#src/entries/types/service-icons.ts'

/** Returns the URL of the illustration for an entry's `icon`; an unknown name gets the first one. */
export function artAddress(icon: string | null): string {
  return `${sprite}#${icon !== null && SERVICE_ICONS.includes(icon) ? icon : SERVICE_ICONS[0]}`
}
