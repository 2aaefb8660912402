/** The menu of the admin and the frame around its pages. */
export const navigationTexts = {
  product: 'Signpost',
  pageTitle: (title: string) => `${title} · Signpost`,
  skipToContent: 'Skip to content',
  landmark: 'Admin',
  openMenu: 'Menu',
  closeMenu: 'Close menu',
  viewSite: 'View site',
  signOut: 'Sign out',
  unread: 'unread',
  unpublished: 'changes',
  theme: (name: string) => `${name} colors`,
}

/** The groups of the menu. */
export const groupLabels = {
  overview: 'Overview',
  site: 'Site',
  forms: 'Forms',
  business: 'Business',
  advanced: 'Advanced',
}

/** The areas of the admin. */
export const areaLabels = {
  dashboard: 'Dashboard',
  inbox: 'Inbox',
  reports: 'Results',
  home: 'Home page',
  pages: 'Pages',
  services: 'Services',
  locations: 'Service areas',
  coverage: 'Coverage',
  reviews: 'Reviews',
  pictures: 'Pictures',
  publish: 'Publish',
  forms: 'Forms',
  webhooks: 'Webhooks',
  deliveries: 'Deliveries',
  settings: 'Settings',
  users: 'Team',
  audit: 'Activity',
  privacy: 'Privacy',
  entries: 'All content',
  taxonomies: 'Categories',
  contentTypes: 'Content types',
  servers: 'Servers',
  trash: 'Trash',
  account: 'Your account',
}

/** The colors of the admin. */
export const themeLabels = { auto: 'Auto', light: 'Light', dark: 'Dark' }
