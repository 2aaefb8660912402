import type { ReceivedFile } from '../../forms/received-file.ts'
import { readFormData } from '../kit/admin-form.ts'

/** Reads a trial post of a form: texts, and metadata of files, whose bytes are not examined. */
export async function readTrial(
  request: Request,
): Promise<{ body: Record<string, string[]>; files: Record<string, ReceivedFile[]> }> {
  const body: Record<string, string[]> = Object.create(null)
  const files: Record<string, ReceivedFile[]> = Object.create(null)
  for (const [name, value] of await readFormData(request)) {
    if (typeof value === 'string') add(body, name, value)
    else if (value.name !== '') add(files, name, toReceivedFile(value))
  }
  return { body, files }
}

// Copying the list for each value would take seconds for ten thousand values.
function add<T>(lists: Record<string, T[]>, name: string, value: T) {
  const list = lists[name]
  if (list) list.push(value)
  else lists[name] = [value]
}

function toReceivedFile({ name, size, type }: File): ReceivedFile {
  return { name, size, type: type || null }
}
