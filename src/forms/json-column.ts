import { z } from 'zod'

/** A codec between a JSON column's text and the value of a schema. Decoding throws on anything else. */
export function jsonColumn<Schema extends z.ZodType>(schema: Schema) {
  return z.codec(z.string(), schema, {
    decode: (text, context) => parseJson(text, context) as z.input<Schema>,
    encode: (value) => JSON.stringify(value),
  })
}

function parseJson(text: string, context: z.core.ParsePayload): unknown {
  try {
    return JSON.parse(text)
  } catch {
    context.issues.push({ code: 'custom', input: text, message: 'The column does not hold JSON' })
    return z.NEVER
  }
}
