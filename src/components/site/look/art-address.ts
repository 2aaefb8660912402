import sprite from '#src/assets/sprite.svg?url'
import { SERVICE_ICONS } from '#src/entries/types/service-icons.ts'

/** Where the illustration is that an entry names as its `icon`; that of any other name is the first. */
export function artAddress(icon: string | null): string {
  return `${sprite}#${icon !== null && SERVICE_ICONS.includes(icon) ? icon : SERVICE_ICONS[0]}`
}
