/** Failures of looks (src/site/theme/looks.ts). */
export const lookFailures = {
  nameTaken: (name: string) => `Two looks are named ${name}. Rename the folder or package of one of them.`,
  unreadable: (file: string, reason: string) => `${file} is not a valid look: ${reason}`,
  illegible: (file: string, color: string, on: string, least: number) =>
    `${file}: ${color} is hard to read on ${on}. Choose colors with a contrast of at least ${least}.`,
  notInstalled: (name: string) =>
    `package.json lists the look ${name}, which is not installed. Run npm install, or remove the look from package.json.`,
  fontMissing: (look: string, file: string, name: string) =>
    `${look}: the file ${file} for the font ${name} does not exist. Add the file, or correct its path.`,
  componentUnknown: (look: string, name: string) =>
    `The look ${look} has ${name}.astro, but no component has that name. If the file is only a part of other components, start its name with an underscore.`,
}
