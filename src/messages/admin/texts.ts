/** Why a formatted text cannot be shown, or which of its links and pictures cannot. */
export const FAULTS_OF_TEXTS = {
  too_deep: () => 'Quotes, lists, or formatting are nested too deeply. Remove some levels.',
  too_slow: () =>
    'This text takes too long to format. Shorten it, or remove some of its emphasis and nested lists.',
  link_relative: ({ address }: { address: string }) =>
    `The link to “${address}” is broken. Enter an address such as /contact or https://example.com.`,
  picture_foreign: ({ address }: { address: string }) =>
    `“${address}” is on another site. Add the picture to pictures/, then replace the address with the file name.`,
  picture_missing: ({ name, near }: { name: string; near: readonly string[] }) =>
    `There is no picture “${name}” in pictures/.${near.length === 0 ? '' : ` Did you mean ${quoted(near)}?`}`,
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `“${name}”`).join(' or ')
}
