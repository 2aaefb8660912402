/** Errors in a site’s own sections, in `src/components/sections`. */
export const ownSectionFailures = {
  unreadable: (file: string, reason: string) => `${file} can’t be loaded: ${reason}`,
  notASection: (file: string) =>
    `${file} does not define a section. Use export default defineSection({ fields: { … } }) from signpost/sections`,
  fieldsMissing: 'a section needs fields. Use export default defineSection({ fields: { … } })',
  keyUnknown: (file: string, key: string) =>
    `${file}: defineSection has no key "${key}". Use label, pages, and fields`,
  labelInvalid: (file: string) => `${file}: label must be a text such as Seasonal offer`,
  pagesUnknown: (file: string, kinds: string) => `${file}: pages must be a list of some of these: ${kinds}`,
  componentMissing: (file: string, component: string) =>
    `${file} has no component. Create ${component} next to the file, or remove the file`,
  nameInvalid: (file: string) =>
    `${file} needs a name such as SeasonalOffer.astro: letters and digits, starting with a capital letter`,
  nameTaken: (file: string, name: string) =>
    `${file} has the same name as the built-in section "${name}". Rename the file`,
  nameTwice: (file: string, other: string, name: string) =>
    `${file} and ${other} both define the section "${name}". Rename one of them`,
  fieldTwice: (file: string, other: string, key: string) =>
    `${file} and ${other} both use the key ${key}. Rename the field in one of them`,
  fieldUnknown: (file: string, field: string, types: string) =>
    `${file}: the field "${field}" has a type that the editor does not support. Use one of: ${types}`,
  fieldNameInvalid: (file: string, field: string) =>
    `${file}: the field "${field}" needs a name of lowercase letters, digits, and underscores`,
  fieldTaken: (section: string, key: string) =>
    `The section "${section}" can’t use the key ${key}, which already has another meaning. Rename the section’s field`,
}
