/** Failures of looks (src/site/theme/looks.ts). */
export const lookFailures = {
  nameTaken: (name: string) =>
    `Two looks have the name ${name}. Rename the folder or package of one of them.`,
  unreadable: (file: string, reason: string) => `${file} is not a valid look: ${reason}`,
  illegible: (file: string, color: string, on: string, least: number) =>
    `${file}: ${color} is hard to read on ${on}. Choose colors with a contrast of at least ${least}.`,
  notInstalled: (name: string) =>
    `package.json lists the look ${name}, which is not installed. Run npm install, or remove it from package.json.`,
  fontMissing: (look: string, file: string, name: string) =>
    `${look}: the file ${file} of the font ${name} does not exist. Add the file, or correct its path.`,
  componentUnknown: (look: string, name: string) =>
    `The look ${look} has ${name}.astro, but no component has that name. Start the names of parts with an underscore.`,
}
