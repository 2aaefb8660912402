import sprite from '../../assets/sprite.svg?url'

// The illustrations of the sprite; any other name gets the first.
const DRAWN = ['wrench', 'snowflake', 'flame', 'pump', 'drain', 'heater', 'leak', 'panel', 'plug']

/** Where the illustration is that an entry names as its `icon`. */
export function artAddress(icon: string | null): string {
  return `${sprite}#${icon !== null && DRAWN.includes(icon) ? icon : DRAWN[0]}`
}
