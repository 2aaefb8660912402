/** The icons of the site's sprite that a service can use as its `icon`; the first is the default. */
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
