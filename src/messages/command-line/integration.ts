/** Mistakes in the options of `signpost()`. */
export const integrationTexts = {
  nameUnknown: (name: string, names: string) =>
    `signpost() cannot replace "${name}". Components that can be replaced: ${names}`,
  fileMissing: (name: string, file: string) =>
    `signpost() cannot replace ${name}: ${file} does not exist. Create it, or remove the name from astro.config.mjs`,
}
