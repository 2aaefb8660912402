import { AsyncLocalStorage } from 'node:async_hooks'
import { type FindPicture, renderMarkdown } from '../../lib/markdown/markdown.ts'
import { Failure } from '../../lib/messages.ts'
import { publishFailures, type TextOwner } from '../../messages/server/publishing.ts'

/** The pictures available to texts. */
export interface TextPictures {
  find: FindPicture
  /** Changes when one of a text's pictures does; undefined if the text has none. */
  stateOf(markdown: string): string | undefined
}

/** A text by a person. `owner` names it in errors. */
export interface OwnedText {
  markdown: string
  owner: TextOwner
  pictures: TextPictures
}

/**
 * Adds a property with Markdown as HTML, rendered when first read: pages are compared far more often than rendered.
 * Comparisons and JSON see the source instead, as `<key>Source`, and the state of its pictures. A spread copy
 * (`...`) doesn't have the HTML.
 */
export function withMarkdown<T extends object, Key extends string>(
  object: T,
  key: Key,
  text: OwnedText,
): T & Record<Key, string> {
  let html: string | undefined
  const pictures = text.pictures.stateOf(text.markdown)
  const target = {
    ...object,
    [`${key}Source`]: text.markdown,
    ...(pictures !== undefined && { [`${key}Pictures`]: pictures }),
  }
  Object.defineProperty(target, key, {
    get: () => {
      html ??= renderNamed(text)
      return html
    },
  })
  return target as unknown as T & Record<Key, string>
}

const rendered = new AsyncLocalStorage<ReadonlyMap<string, string>>()

/** Runs work with HTML that another thread has already rendered, by Markdown source. */
export function withRendered<T>(texts: ReadonlyMap<string, string>, work: () => Promise<T>): Promise<T> {
  return rendered.run(texts, work)
}

/** Returns the HTML of a text. Throws an error naming its owner if it can't be rendered. */
export function renderNamed({ markdown, owner, pictures }: OwnedText): string {
  try {
    return rendered.getStore()?.get(markdown) ?? renderMarkdown(markdown, pictures.find)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Failure(publishFailures, 'textTooDeep', owner)
  }
}

/** Returns the problem of the first text in this value that can't be rendered; undefined if all can. */
export function findUnshowableText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, { get }] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
    const problem = get ? messageOf(get) : findUnshowableText(value[key as keyof typeof value])
    if (problem) return problem
  }
  return undefined
}

function messageOf(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
