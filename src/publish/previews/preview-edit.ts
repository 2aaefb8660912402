import { z } from 'zod'

/** A saved change that a preview shows, in words. */
export const previewEdit = z.object({
  name: z.string(),
  /** Its type, such as `Pages`. */
  kind: z.string(),
  change: z.enum(['added', 'edited', 'removed']),
  /** The fields that differ from the live version; empty if unknown. */
  fields: z.array(
    z.object({
      label: z.string(),
      /** Empty if the label says enough. */
      parts: z.array(z.object({ change: z.enum(['same', 'added', 'removed']), text: z.string() })),
    }),
  ),
})

export type PreviewEdit = z.output<typeof previewEdit>
