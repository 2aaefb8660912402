import { listNames } from '../../lib/environment-values.ts'
import type { InputFault } from '../../messages/admin/webhooks/webhooks.ts'
import { MAX_HEADERS } from '../definition/header-rules.ts'
import { redactHeaders } from './redact-headers.ts'

interface Before {
  /** The stored headers, opened. */
  stored: Readonly<Record<string, string>> | null
  /** True if the address of the webhook has another origin now. */
  isMoved: boolean
}

/**
 * Headers from text, one `Name: value` per line, with dots for a stored value. Secrets and environment values stay with
 * their origin: if the address has a new one, `dropped` names their headers.
 */
export function readHeaderLines(
  text: string,
  before: Before,
  fail: (fault: InputFault) => void,
): { headers: Record<string, string> | null; dropped: string[] } {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length > MAX_HEADERS) {
    fail({ code: 'many_headers', params: { max: MAX_HEADERS } })
    return { headers: null, dropped: [] }
  }
  const given = lines.flatMap((line) => splitLine(line, fail))
  for (const name of listRepeated(given.map(([one]) => one)))
    fail({ code: 'header_line_repeated', params: { name } })
  const read = given.map(([name, value]) => ({ name, ...readValue(name, value, before) }))
  const headers = read.filter(({ isDropped }) => !isDropped)
  return {
    headers:
      headers.length === 0 ? null : Object.fromEntries(headers.map(({ name, value }) => [name, value])),
    dropped: read.filter(({ isDropped }) => isDropped).map(({ name }) => name),
  }
}

function splitLine(line: string, fail: (fault: InputFault) => void): [name: string, value: string][] {
  const [, name, value = ''] = /^\s*([^:\s]+)\s*:(.*)$/.exec(line) ?? []
  if (name !== undefined) return [[name, value.trim()]]
  fail({ code: 'header_line_invalid', params: { line: line.trim() } })
  return []
}

// Names that differ only in case are the same header.
function listRepeated(names: readonly string[]): string[] {
  const groups = Map.groupBy(names, (name) => name.toLowerCase())
  return [...groups].filter(([, same]) => same.length > 1).map(([name]) => name)
}

function readValue(name: string, value: string, { stored, isMoved }: Before) {
  const kept = stored?.[name]
  // Unchanged dots stand for the stored value.
  if (kept === undefined || redactHeaders({ [name]: kept })[name] !== value)
    return { value, isDropped: false }
  return { value: kept, isDropped: isMoved && (kept !== value || listNames(kept).length > 0) }
}
