import { z } from 'zod'

/** A picture in a changed text or field. */
const shownPicture = z.object({ sha256: z.string(), alt: z.string() })

export type ShownPicture = z.output<typeof shownPicture>

/** A saved change that a preview shows, in words. */
export const previewEdit = z.object({
  name: z.string(),
  /** Its type, such as `Pages`. */
  kind: z.string(),
  change: z.enum(['added', 'edited', 'removed']),
  /** Key of the page that it is about. */
  page: z.string().optional(),
  /** The fields that differ from the live version; empty if unknown. */
  fields: z.array(
    z.object({
      label: z.string(),
      /** Empty if the label says enough. */
      parts: z.array(
        z.object({
          change: z.enum(['same', 'added', 'removed']),
          text: z.string(),
          /** Shown instead of the text. */
          picture: shownPicture.optional(),
        }),
      ),
    }),
  ),
})

export type PreviewEdit = z.output<typeof previewEdit>
