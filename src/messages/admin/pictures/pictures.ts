import { countOf } from '../../plural.ts'

const pictures = (count: number) => countOf(count, { one: 'picture', other: 'pictures' })

/** Why the library refuses a file, and what is wrong with a picture's details. */
export const FAULTS_OF_PICTURES = {
  upload_svg: () => 'SVG files can run scripts. Save the drawing as a PNG or WebP file and upload that file.',
  upload_heic: () =>
    'HEIC photos aren’t supported. On an iPhone, choose Settings › Camera › Formats › Most Compatible, or save the photo as a JPEG.',
  upload_not_a_picture: () => 'This file is not a JPEG, PNG, WebP, or AVIF picture.',
  upload_broken: () => 'This picture is incomplete or damaged. Save it again and upload the new file.',
  upload_empty: () => 'This file is empty. Choose another file.',
  upload_too_large: ({ megabytes }: { megabytes: number }) =>
    `This file is larger than ${megabytes} MB. Make it smaller and upload it again.`,
  upload_too_many_pixels: ({ megapixels }: { megapixels: number }) =>
    `This picture has more than ${megapixels} megapixels. Make it smaller and upload it again.`,
  upload_too_high: ({ times }: { times: number }) =>
    `This picture is more than ${times} times as tall as it is wide. Crop it and upload it again.`,
  percent_invalid: () => 'Enter a number from 0 to 100.',
  crop_invalid: () => 'Enter all four numbers. The crop must be inside the picture.',
  tags_invalid: () => 'Use at most 20 tags, each with at most 40 characters.',
  alt_missing: () => 'Describe the picture, or mark it as decorative.',
}

/** The library of pictures. */
export const libraryTexts = {
  title: 'Pictures',
  lead: 'Photos and logos for your pages.',
  count: pictures,
  upload: 'Upload pictures',
  choose: 'choose files',
  formats: 'JPEG, PNG, WebP, or AVIF, up to 25 MB. Location and camera data is removed.',
  photo: 'Take a photo',
  describeOne: 'What the picture shows, in a sentence. You can describe several pictures after the upload.',
  emptyTitle: 'No pictures yet',
  emptyText: 'Upload photos of your work, your team, and your vans.',
  noneFound: 'No pictures match.',
  search: 'Search',
  tag: 'Tag',
  anyTag: 'Any tag',
  show: 'Show',
  states: { all: 'All pictures', unused: 'Unused', undescribed: 'Without a description' },
  undescribed: 'No description',
  unused: 'Unused',
  uses: (count: number) => `Used ${countOf(count, { one: 'time', other: 'times' })}`,
  describeAll: (count: number) => `Describe ${pictures(count)}`,
  list: 'Pictures, newest first',
  progress: (name: string) => `Uploading ${name}`,
  uploaded: (name: string) => `${name} uploaded.`,
  known: (name: string) => `${name} is already in your library.`,
  failed: (name: string, reason: string) => `${name}: ${reason}`,
}

/** The screen after an upload. */
export const describeTexts = {
  title: 'Describe your pictures',
  lead: 'Screen readers and search engines read these descriptions.',
  save: 'Save descriptions',
  saved: (count: number) => `${pictures(count)} described.`,
  none: 'All pictures have descriptions.',
}

/** The screen of one picture. */
export const pictureTexts = {
  thing: 'picture',
  save: 'Save picture',
  saved: 'Picture saved. Publish to update the site.',
  savedForEditor: 'Picture saved. Close this tab to return to your page.',
  facts: (width: number, height: number, size: string) => `${width} × ${height} pixels, ${size}`,
  markdown: 'Markdown',
  usedOn: (pages: number) =>
    pages === 0 ? 'Used on' : `Used on ${countOf(pages, { one: 'page', other: 'pages' })}`,
  notUsed: 'No saved page uses this picture yet. If you just chose it for a page, save that page.',
  onLocalPages: (count: number) => `and ${countOf(count, { one: 'local page', other: 'local pages' })}`,
  moreUses: (count: number) => `and ${count} more`,
  settings: 'Settings',
  replace: 'Replace picture',
  replaceLead: 'The picture’s name will stay the same. You can restore the current file under Versions.',
  replaceAll: 'The new file will replace the picture everywhere it’s used.',
  newFile: 'New file',
  replaced: 'Picture replaced. Publish to update the site.',
  replacedInFrame:
    'Picture replaced. The crop and focal point of the old picture still apply. Check them, then publish.',
  noFile: 'Choose a file.',
  restore: 'Restore',
  versionAlt: (time: string) => `Version from ${time}`,
  restoreOf: (time: string) => `Restore the version from ${time}`,
  versionParts: { file: 'File', alt: 'Description', focalPoint: 'Focal point', crop: 'Crop', tags: 'Tags' },
  versionValues: {
    point: (x: string, y: string) => `${x} from left, ${y} from top`,
    crop: ({ left, top, width, height }: Record<'left' | 'top' | 'width' | 'height', string>) =>
      `${width} × ${height}, ${left} from left, ${top} from top`,
  },
  remove: 'Delete',
  removalQuestion: (name: string) => `Delete ${name}?`,
  removalAction: 'Delete picture',
  removalText: 'Published pages will keep showing the picture until you publish again.',
  fileToo: 'If the picture has a file in pictures/, delete the file too, or the next sync will add it back.',
  usedRefusal: (name: string) => `${name} is still in use. Remove it from these pages and drafts first.`,
  siteRefusal: (name: string) =>
    `${name} is used in the site settings or in a form, so only managers and owners can change it.`,
  deleted: (name: string) => `${name} deleted.`,
  focusHelp: 'Click the part that must stay visible.',
  focusNumbersHelp: 'The focal point is the part that must stay visible.',
  framesHint: 'How pages crop the picture:',
  frames: { wide: 'Hero picture', card: 'Gallery and before/after' },
  drawCrop: 'Draw on the picture',
  wholePicture: 'Whole picture',
  drawHelp: 'Drag the frame, an edge, or a corner. You can also use the arrow keys.',
  cropFrame: 'Crop frame',
  cropCorners: {
    'top left': 'Top-left corner',
    'top right': 'Top-right corner',
    'bottom right': 'Bottom-right corner',
    'bottom left': 'Bottom-left corner',
  },
  cropHelp: 'Percentages of the original picture. Leave empty to show the whole picture.',
}

/** The inputs of a picture. */
export const pictureInputs = {
  alt: { label: 'Description', hint: 'What the picture shows, in a sentence.' },
  decorative: {
    label: 'Decorative',
    hint: 'For patterns and other pictures that add no information. Screen readers skip them.',
  },
  focusX: { label: 'Focus from left (%)' },
  focusY: { label: 'Focus from top (%)' },
  tags: { label: 'Tags', hint: 'Separate tags with commas.' },
  crop: { legend: 'Crop', left: 'Left (%)', top: 'Top (%)', width: 'Width (%)', height: 'Height (%)' },
}

/** Activity entries about pictures. */
export const pictureActivity = {
  added: (name: string) => `Uploaded the picture ${name}`,
  changed: (name: string) => `Changed the picture ${name}`,
  described: (count: number) => `Described ${pictures(count)}`,
  replaced: (name: string) => `Replaced the picture ${name}`,
  restored: (name: string) => `Restored a version of the picture ${name}`,
  deleted: (name: string) => `Deleted the picture ${name}`,
}
