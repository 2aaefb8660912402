const NOUNS = {
  service: 'service',
  location_service: 'local page',
  page: 'page',
  review: 'review',
  form: 'form',
}

/** Whose text it is. */
export interface TextOwner {
  kind: keyof typeof NOUNS
  /** Its slug, or the address of a page. */
  name: string
}

/** The steps of a publish or a preview, in its history and while it runs. */
const STEPS = {
  comparing: 'Comparing and rendering pages',
  finishing: 'Adding unchanged files and checking everything',
  pictures: 'Creating pictures',
  listing: 'Listing the changed pages',
}

/** The code of a step with its text for a terminal. */
export const publishStep = (code: keyof typeof STEPS) => ({ code, text: STEPS[code] })

/** Returns the text of a step. Earlier releases stored texts instead of codes; these come back unchanged. */
export function describeStep(stored: string): string {
  return Object.hasOwn(STEPS, stored) ? STEPS[stored as keyof typeof STEPS] : stored
}

/** Why a publish failed, beside two pages with one address. */
export const publishFailures = {
  ended: 'The publish was stopped before it finished',
  rolledBack:
    'Someone rolled back the site before this publish began. To replace that release, publish again',
  notALink: (path: string) =>
    `${path} is not a link to a release. Move the file or folder away and build again`,
  pagesMissing: (found: number, listed: number) =>
    `The release has ${found} pages instead of ${listed}. Build again`,
  fileMissing: (page: string, file: string) => `${page} refers to ${file}, which is not in the release`,
  buildFailed: (output: string) => `astro build failed:\n${output}`,
  pageFailed: (path: string, reason: string) => `The page ${path} can’t be rendered: ${reason}`,
  embedMissing: (path: string) =>
    `Other websites can’t embed ${path}: it needs an element with id="form", a <form data-form> in it, and the form’s script. Check your form components`,
  pathsFailed: (reason: string) => `The pages in src/pages can’t be listed: ${reason}`,
  thrownAt: (place: string, reason: string) => `${place}: ${reason}`,
  tooLate: (seconds: number) =>
    `Rendering did not finish within ${seconds} s. Check what the page’s components and src/pages wait for`,
  tooLateAt: (place: string, seconds: number) =>
    `${place} did not finish within ${seconds} s. Check the code for endless loops`,
  pageEmpty: (path: string) => `The template of ${path} rendered an empty page`,
  textTooDeep: ({ kind, name }: TextOwner) =>
    `The text of the ${NOUNS[kind]} ${name} can’t be shown: quotes, lists, or formatting are nested too deeply. Remove some levels`,
  /** The rendered pages differ from the approved ones. */
  notApproved: 'The site has changed since the approval. Create a new preview link',
  nothingLive: 'Publish the site once before you share a preview',
  workerEnded: (reason: string | number | null) => `A rendering process ended early (${reason})`,
  /** Two pages of an address whose names are not known yet. */
  sameAddress: (path: string) => `Two pages have the address ${path}. Change the slug of one`,
}

const AGAIN = 'Publish everything once to make schedules and selected changes work again'

/** Why a schedule, or selected changes, cannot be published. */
export const scheduleFailures = {
  noRecord: `There is no record of the live site. ${AGAIN}`,
  otherDatabase: `This database did not publish the live site. ${AGAIN}`,
  noTemplates: `The templates of the live site are no longer in dist/. ${AGAIN}`,
}

interface TakenSlug {
  holder: string
  name: string
}

/** Why a scheduled entry is not published yet. */
export const scheduleTexts = {
  delayed: (name: string, reason: string) => `“${name}” is delayed until the next publish: ${reason}`,
  leftOut: (name: string, reason: string) => `“${name}” was not published: ${reason}`,
  serviceNotLive: 'its service is not live',
  addressTaken: (holder: string) => `“${holder}” still uses its address`,
  slugTaken: ({ holder, name }: TakenSlug) => `“${holder}” still uses the slug of “${name}”`,
}

/** Problems of a folder that a command writes into. */
export const folderFailures = {
  notAFolder: (path: string) => `${path} is not a folder. Choose an empty one`,
  otherFiles: (path: string) =>
    `${path} contains other files. Choose an empty folder, or one that this command wrote`,
  noShard: (path: string) => `${path} is not part of a publish. Choose a folder that --shard wrote`,
}
