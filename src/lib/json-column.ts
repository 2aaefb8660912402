import { z } from 'zod'

/** A codec for a JSON column. Text that is not JSON is an issue like any other, never an exception. */
export function jsonColumn<Schema extends z.ZodType>(schema: Schema) {
  return z.codec(z.string(), schema, {
    decode: (text, context) => {
      try {
        return JSON.parse(text)
      } catch {
        context.issues.push({ code: 'custom', input: text, message: 'not_json' })
        return z.NEVER
      }
    },
    encode: (value) => JSON.stringify(value),
  })
}
