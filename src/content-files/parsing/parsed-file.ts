import type { z } from 'zod'
import type { ContentType } from '../../entries/types/content-type-store.ts'
import type { Environment } from '../../lib/environment-values.ts'
import type { FileFault } from '../../messages/files/mistakes.ts'
import type { ContentDocument } from '../document.ts'
import type { LocatedYaml, YamlPath } from './located-yaml.ts'
import type { Mistake } from './mistake.ts'
import type { Reference } from './reference.ts'
import { faultsOf } from './schema-faults.ts'

/** The result of parsing one content file. */
export interface ParsedFile {
  path: string
  /** Undefined if the file has mistakes. */
  document: ContentDocument | undefined
  /** Includes references in a file with mistakes, as far as it can be read, so that one run reports everything. */
  references: Reference[]
  mistakes: Mistake[]
  /** Problems that don't prevent the file from being used. */
  warnings?: readonly Mistake[]
}

/** A YAML file to parse. */
export interface YamlFile {
  path: string
  slug: string
  yaml: LocatedYaml
  environment: Environment
  /** The stored content types. */
  stored: readonly ContentType[]
}

/** A path without its extension. */
export function stemOf(path: string): string {
  return path.replace(/\.[^./]*$/, '')
}

/** A file that can't be used at all. */
export function unusable(path: string, line: number, fault: FileFault): ParsedFile {
  return { path, document: undefined, references: [], mistakes: [{ path, line, fault }] }
}

/**
 * Parses a value with a schema, or returns the mistakes with their lines. If `schema` covers only the part `value`
 * of the file, `at` is its path and `known` the schema of the whole file, for the names in messages.
 */
export function readWith<T extends z.ZodType>(
  schema: T,
  yaml: LocatedYaml,
  { path, value = yaml.value, at = [], known = schema }: ReadOptions,
): { value: z.output<T> | undefined; mistakes: Mistake[] } {
  const result = schema.safeParse(value)
  if (result.success) return { value: result.data, mistakes: [] }
  const mistakes = result.error.issues
    .map((issue) => ({ ...issue, path: [...at, ...issue.path] }))
    .flatMap((issue) => faultsOf(issue, known, yaml.value))
    .map(({ at, fault }) => ({ path, line: yaml.lineOf(at), fault }))
  return { value: undefined, mistakes }
}

interface ReadOptions {
  path: string
  value?: unknown
  at?: YamlPath
  known?: z.ZodType
}

/** Returns the text under a key of a raw value, if there is one. */
export function rawText(value: unknown, key: string): string | undefined {
  const text = rawValue(value, key)
  return typeof text === 'string' ? text : undefined
}

/** Returns the texts in a list of a raw value, with their indexes. */
export function rawTexts(value: unknown, key: string): { text: string; index: number }[] {
  const list = rawValue(value, key)
  if (!Array.isArray(list)) return []
  return list.flatMap((text, index) => (typeof text === 'string' ? [{ text, index }] : []))
}

export function rawValue(value: unknown, key: string): unknown {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
  return isObject ? (value as Record<string, unknown>)[key] : undefined
}
