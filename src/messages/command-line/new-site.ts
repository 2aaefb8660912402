/** Questions of `signpost new`. */
export const newSiteQuestions = {
  name: 'Business name',
  trade: (trades: string) => `Trade (${trades})`,
  contact: 'Country and phone, such as US (303) 555-0142',
  places: 'Places you serve, separated by commas',
  address: 'Street address of the business (optional)',
}

/** Output of `signpost new`. */
export const newSiteTexts = {
  answer: (question: string, suggestion: string) =>
    suggestion ? `${question} [${suggestion}]: ` : `${question}: `,
  nameMissing: 'Enter a name',
  tradeUnknown: (trade: string, trades: string) => `Unknown trade "${trade}"; expected one of ${trades}`,
  countryMissing: (contact: string) =>
    `"${contact}" does not start with a country code; expected two letters and a phone number, such as US (303) 555-0142`,
  undialable: (phone: string, expected: string) => `"${phone}" can’t be dialed; expected ${expected}`,
  placesMissing: 'Enter at least one place',
  placeRepeated: (place: string) => `${place} appears twice in the list`,
  placeWithoutSlug: (place: string) =>
    `"${place}" has no letters or digits that work in a URL; write the name in Latin letters, and change it in content/taxonomies/locations.yaml later`,
  notEmpty: (folder: string) => `${folder} is not empty. Choose a folder that does not exist yet`,
  notAFolder: (folder: string) =>
    `${folder} can’t be created because part of its path is a file. Choose another folder`,
  noTerminal:
    'Answers are missing. Run this command in a terminal to answer the questions, or add --yes to accept the suggested answers',
  gaveUp: 'No site was created',
  made: (folder: string, quoted: string) => `Your site is in ${folder}. Next:

  cd ${quoted}
  npm install
  npm start

To change your answers later, edit the files in content/. Before you deploy, set SITE_URL in .env to the site’s public URL`,
}

/** Texts of the first site: true of any business, short, and there to be replaced. */
export const starterTexts = {
  tagline: (trade: string, place: string) => `${trade} in ${place}`,
  homeHeading: (trade: string, place: string) => `${trade} in ${place}. Call us or request a quote.`,
  homeIntro:
    'Write two or three sentences here: who you are, what you do best, and why a neighbor should call you first.',
  serviceBody: (service: string) => `## What we do

Describe ${service} in your own words: what you do, how long it takes, what it costs, and what happens after the visit.`,
  placeIntro: (place: string) =>
    `Describe what makes your work in ${place} different: neighborhoods, houses, local rules, or how soon you can get there. Search engines list a page only when its text is unique.`,
  locations: 'Locations',
  form: 'Request a quote',
  formThanks: 'Thank you',
  formThanksBody: 'We received your request and will call you back.',
  fieldName: 'Your name',
  fieldPhone: 'Phone',
  fieldEmail: 'Email',
  fieldDetails: 'How can we help?',
  services: 'Services',
  trades: {
    plumbing: ['Plumbing', 'Drain cleaning', 'Water heaters'],
    heating: ['Heating and cooling', 'AC repair', 'Furnace repair'],
    electrical: ['Electrical work', 'Panel upgrades', 'EV charger installation'],
    roofing: ['Roofing', 'Roof repair', 'Roof replacement'],
    cleaning: ['Cleaning', 'House cleaning', 'Office cleaning'],
    landscaping: ['Landscaping', 'Lawn care', 'Tree trimming'],
    other: ['Services', 'First service', 'Second service'],
  },
} as const

/** The files of a site that are not content. */
export const starterFileTexts = {
  readme: (name: string) => `# ${name}

A website with a page for each service in each place, built with Signpost.

\`\`\`sh
npm install
npm start
\`\`\`

Open <http://127.0.0.1:4321>. To use another port, set \`PORT\` in \`.env\`. The terminal prints the link that creates your account.

- \`content/\` contains your content. To publish your edits, run \`npm run build\`.
- \`src/styles/site.css\` is your own stylesheet. It overrides Signpost’s styles.
- \`src/components/\` contains components that replace Signpost’s. List them in \`astro.config.mjs\`.
- \`src/pages/\` contains your own pages.
- \`node_modules/signpost/docs/\` contains the documentation. \`own-site.md\` explains components, sections, pages, styles, and upgrades.
- \`npm run dev\` shows each change as you save it.
- \`package-lock.json\` records the exact versions of all packages. Commit it.
`,
  styles: `/* Your own styles. They override Signpost’s styles without !important, because Signpost’s are in cascade layers.
   Colors, fonts, and corners are custom properties:

:root {
  --radius: 0;
}
*/
`,
  environment: `# The port on which the server listens
# PORT=4321
# The public URL of the site, for canonical links; set it before you deploy
# SITE_URL=https://www.example.com
# The number of proxies in front of the server; without it, all visitors share one rate limit
# TRUSTED_PROXIES=1
# DATA_DIR=data
# SMTP_URL=smtps://user:password@mail.example.com
`,
}
