/** The slugs of the types that come with the program, for what is about one of them. */
export const SERVICES = 'services'
export const LOCATION_SERVICES = 'location_services'
export const TESTIMONIALS = 'testimonials'
export const PAGES = 'pages'
