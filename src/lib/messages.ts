/** The sentences of an area by code, with parameters where they have parts. */
type Sentences = Readonly<Record<string, (params: never) => string>>

/** A code of these sentences with the parameters of its sentence: what rules decide by and what is stored. */
export type MessageOf<Table extends Sentences> = {
  [Code in keyof Table & string]: Parameters<Table[Code]> extends [infer Params]
    ? { code: Code; params: Params }
    : { code: Code; params?: undefined }
}[keyof Table & string]

/** Turns a message into the text shown: its sentence, or only its code. */
let shownAs: 'sentence' | 'code' = 'sentence'

/** Shows every message as its code. Tests of rules pass with it, because no rule depends on wording. */
export function showMessagesAs(form: typeof shownAs): void {
  shownAs = form
}

/** Returns the function that makes the sentence of a message. A code stored by a newer version has none. */
export function createMessages<Table extends Sentences>(sentences: Table) {
  return ({ code, params }: MessageOf<Table>): string =>
    shownAs === 'code' || !sentences[code] ? code : (sentences[code] as (params: unknown) => string)(params)
}

/** Texts by their codes, with positional parts. */
type Texts = Readonly<Record<string, string | ((...parts: never[]) => string)>>

export type PartsOf<Text> = Text extends (...parts: infer Parts) => string ? Parts : []

/** Returns the function that makes a text by its code and its parts. */
export function createTexts<Table extends Texts>(texts: Table) {
  return (code: keyof Table & string, parts: readonly unknown[]): string => {
    const text: string | ((...parts: never[]) => string) = texts[code] as Table[string]
    if (shownAs === 'code') return code
    return typeof text === 'string' ? text : text(...(parts as never[]))
  }
}

/** An expected failure of a command: code and parts for the program, and the sentence for the person. */
export class Failure<Table extends Texts, Code extends keyof Table & string> extends Error {
  readonly code: Code
  readonly parts: PartsOf<Table[Code]>

  constructor(texts: Table, code: Code, ...parts: PartsOf<Table[Code]>) {
    super(createTexts(texts)(code, parts))
    this.code = code
    this.parts = parts
  }
}
