/**
 * The components that a site can replace or import as `signpost/components/<name>.astro`, with their files below
 * `src`. Names are public: renaming one or changing its props requires a new major version.
 */
export const COMPONENTS = {
  // Frame
  Layout: 'layouts/Site.astro',
  Head: 'components/site/Head.astro',
  Header: 'components/site/SiteHeader.astro',
  Navigation: 'components/site/Navigation.astro',
  Footer: 'components/site/SiteFooter.astro',
  Brand: 'components/site/Brand.astro',
  Breadcrumbs: 'components/site/Breadcrumbs.astro',
  PageTop: 'components/site/PageTop.astro',
  ShareCard: 'components/site/ShareCard.astro',
  StructuredData: 'components/structured-data/StructuredData.astro',
  // Pages
  HomePage: 'components/partials/Home.astro',
  ServicesPage: 'components/partials/ServiceIndex.astro',
  ServicePage: 'components/partials/ServiceDetail.astro',
  LocationPage: 'components/partials/LocationServiceDetail.astro',
  AreaPage: 'components/partials/AreaList.astro',
  ArchivePage: 'components/partials/TermArchive.astro',
  EntryPage: 'components/partials/EntryDetail.astro',
  TextPage: 'components/partials/PageDetail.astro',
  FormPage: 'components/partials/FormPage.astro',
  ThanksPage: 'components/partials/FormThanks.astro',
  MessagePage: 'components/partials/Message.astro',
  // Sections
  Faq: 'components/site/Faq.astro',
  Steps: 'components/site/Steps.astro',
  Testimonials: 'components/site/Testimonials.astro',
  LinkList: 'components/site/LinkList.astro',
  Checks: 'components/site/look/Checks.astro',
  Lines: 'components/site/Lines.astro',
  FieldValue: 'components/site/FieldValue.astro',
  OwnSection: 'components/site/OwnSection.astro',
  // Services
  ServiceBody: 'components/site/services/ServiceBody.astro',
  ServiceCards: 'components/site/services/ServiceCards.astro',
  ServiceFacts: 'components/site/services/ServiceFacts.astro',
  ServiceItem: 'components/site/services/ServiceItem.astro',
  ServiceLinks: 'components/site/services/ServiceLinks.astro',
  // Places
  LocationFacts: 'components/site/places/LocalCard.astro',
  PlaceTree: 'components/site/places/PlaceTree.astro',
  PlaceBranches: 'components/site/places/PlaceBranches.astro',
  AreaGroups: 'components/site/places/AreaGroups.astro',
  // Contact
  ContactCard: 'components/site/contact/ContactCard.astro',
  OpeningHours: 'components/site/contact/OpeningHours.astro',
  PhoneLink: 'components/site/contact/PhoneLink.astro',
  PhoneList: 'components/site/contact/PhoneList.astro',
  CallOrAsk: 'components/site/contact/CallOrAsk.astro',
  QuickContact: 'components/site/contact/QuickContact.astro',
  // Forms
  FormBlock: 'components/site/forms/FormBlock.astro',
  FormEmbed: 'components/site/forms/FormEmbed.astro',
  FormField: 'components/site/forms/FormField.astro',
  FormControl: 'components/site/forms/FormControl.astro',
  FormChoices: 'components/site/forms/FormChoices.astro',
  FormNotes: 'components/site/forms/FormNotes.astro',
  // Look
  Art: 'components/site/look/Art.astro',
  BeforeAfter: 'components/site/look/BeforeAfter.astro',
  Gallery: 'components/site/look/Gallery.astro',
  Hero: 'components/site/look/Hero.astro',
  Picture: 'components/site/look/Picture.astro',
  Sign: 'components/site/look/Sign.astro',
} as const

export type ComponentName = keyof typeof COMPONENTS

/** A public name that a version replaced. Old names are never reused. */
export type Renaming =
  | { kind: 'component'; from: string; to: string }
  /** Function or type in a module that sites import, such as `signpost/content`. */
  | { kind: 'export'; module: string; from: string; to: string }
  /** Key of content files. */
  | { kind: 'key'; from: string; to: string }

/**
 * Public names that versions replaced, oldest first. `signpost upgrade --rename` replaces them in a site's files.
 * Add each together with its new name; old names are never reused.
 */
export const RENAMED: readonly Renaming[] = []
