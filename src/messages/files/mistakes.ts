import { createMessages, type MessageOf } from '../../lib/messages.ts'
import { FAULTS_OF_READING, FAULTS_OF_VALUES_IN_FILES } from './reading.ts'
import { FAULTS_OF_PICTURES, FAULTS_OF_REFERENCES, FAULTS_OF_SECRETS } from './references.ts'

const FAULTS = {
  ...FAULTS_OF_READING,
  ...FAULTS_OF_VALUES_IN_FILES,
  ...FAULTS_OF_REFERENCES,
  ...FAULTS_OF_SECRETS,
  ...FAULTS_OF_PICTURES,
  /** `written` are values that can be null, `fixes` what to write instead. */
  payload_nulls: ({ written, fixes }: { written: readonly string[]; fixes: readonly string[] }) =>
    `payload_template: Slack, Discord, Teams, and HubSpot reject null, and these values are null when empty: ${written.join(', ')}; write ${fixes.join(', ')} (or | default: null to keep null)`,
}

/** A problem with a content file. */
export type FileFault = MessageOf<typeof FAULTS>

/** Says what is wrong with a content file and what was expected, as a part of `file:line: …`. */
export const describeFileFault = createMessages(FAULTS)
