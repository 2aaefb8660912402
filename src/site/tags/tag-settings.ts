import { z } from 'zod'
import { addProblem, rule } from '../../messages/files/rules/schema-rule.ts'
import { field } from '../settings/setting-field.ts'
import { readTags } from './read-tags.ts'

const origin = z.string().regex(/^https:\/\/(\*\.)?[a-z0-9.-]+(:\d{1,5})?$/, rule('https_origin'))

const snippet = z
  .string()
  .max(20_000)
  // Normalized like browsers do, because hashes cover the text as browsers read it.
  .overwrite((text) => text.replace(/\r\n?/g, '\n'))
  .superRefine((text, context) => {
    const [code] = readTags(text).faults
    if (code) addProblem(context, { path: [], code })
  })

/** HTML of other services on every page (`tags` of `content/site.yaml`). */
export const tagSettings = z.strictObject({
  /** At the end of `<head>`. */
  head: field(snippet.optional(), { section: 'measuring', lines: 4 }),
  /** At the end of `<body>`. */
  body: field(snippet.optional(), { section: 'measuring', lines: 4 }),
  /** Origins that the snippets load from in addition to those in their HTML. */
  origins: field(z.array(z.strictObject({ origin: field(origin) })).optional(), { section: 'measuring' }),
})

export type TagSettings = z.output<typeof tagSettings>
