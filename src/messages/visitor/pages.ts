/** Titles and descriptions that pages have when the owner wrote none. */
export const pageTexts = {
  servicesIn: (place: string) => `Services in ${place}`,
  servicesFrom: (place: string) => `Services from ${place}`,
  places: 'Places',
  placesIn: (place: string) => `Places in ${place}`,
  areaDescription: (title: string, business: string) => `${title}, offered by ${business}.`,
  archiveDescription: (title: string, business: string) => `${title}: see all pages from ${business}.`,
  serviceDescription: (service: string, business: string) =>
    `${service} by ${business}. See the details and the areas served.`,
  servicesDescription: (business: string, services: string) =>
    `Services offered by ${business}: ${services}.`,
  checkAnswers: 'Please check your answers',
  formDescription: (form: string, business: string) => `${form}: fill out the online form for ${business}.`,
  received: 'We received your message.',
}

/** The pages for addresses without a page, and for failures. */
export const errorPageTexts = {
  missing: {
    heading: 'This page does not exist',
    text: 'The address may be mistyped, or the page may have moved. Go to the home page or see our services.',
  },
  gone: {
    heading: 'This page was removed',
    text: 'The page was permanently removed. Go to the home page or see our services.',
  },
  failed: {
    heading: 'Something went wrong on our end',
    text: 'This is not your fault. Please try again in a minute, or call us.',
  },
}
