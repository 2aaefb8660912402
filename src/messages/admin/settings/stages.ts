/** The stages of leads, in the settings. */
export const stageTexts = {
  title: 'Lead stages',
  lead: 'The steps a lead goes through, in order. Renamed stages keep their leads.',
  thing: 'stages',
  link: 'Lead stages',
  legend: (name: string) => `Stage: ${name}`,
  added: 'New stage',
  labels: { name: 'Name', position: 'Position', counts: 'Counts as', into: 'Move leads into' },
  hints: {
    first: 'New leads start here. This stage can’t be removed or moved.',
    remove: 'To remove a stage, clear its name.',
  },
  counts: { open: 'Open', won: 'Won', lost: 'Lost' },
  choose: 'Choose a stage',
  save: 'Save stages',
  saved: 'Stages saved.',
  unchanged: 'Nothing was changed.',
  problems: {
    firstName: 'Enter a name for the first stage.',
    inUse: (name: string) => `Some leads are in the stage ${name}. Choose a stage for them.`,
    sameName: (name: string) => `Two stages are called ${name}. Choose another name.`,
    tooMany: 'A site can have at most 20 stages.',
  },
  activity: (names: readonly string[]) => `Changed the lead stages: ${names.join(', ')}`,
  replaced: (former: string, name: string) => `${former} was replaced by ${name}`,
}
