/** The drawings of the site's sprite that a service may name as its `icon`; the first is that of one that names none. */
export const SERVICE_ICONS: readonly string[] = [
  'wrench',
  'snowflake',
  'flame',
  'pump',
  'drain',
  'heater',
  'leak',
  'panel',
  'plug',
]
