/** The slugs of the built-in types, for code about a single one. */
export const SERVICES = 'services'
export const LOCATION_SERVICES = 'location_services'
export const TESTIMONIALS = 'testimonials'
export const PAGES = 'pages'
