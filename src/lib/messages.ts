/** The sentences of a room by their codes. A sentence with parts takes them as parameters. */
type Sentences = Readonly<Record<string, (params: never) => string>>

/** A code of these sentences with the parameters of its sentence: what rules decide by and what is stored. */
export type MessageOf<Table extends Sentences> = {
  [Code in keyof Table & string]: Parameters<Table[Code]> extends [infer Params]
    ? { code: Code; params: Params }
    : { code: Code; params?: undefined }
}[keyof Table & string]

/** Returns the function that makes the sentence of a message. */
export function createMessages<Table extends Sentences>(sentences: Table) {
  return ({ code, params }: MessageOf<Table>): string =>
    (sentences[code] as (params: unknown) => string)(params)
}
