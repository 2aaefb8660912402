import { describeAccepted, isAccepted } from '../fields/file-kinds.ts'
import { formatFileSize, maxFileBytes, type ReceivedFile } from '../received-file.ts'
import type { Checked, FieldTypeDefinition, TypedField } from './field-type.ts'

/**
 * One file of a multipart post, stored as its metadata (contract §5). `upload_id` is 0 until its row has an
 * ID. Texts under the same name are ignored: without multipart, a browser sends only the file's name.
 */
export const file: FieldTypeDefinition = {
  label: 'File',
  use: 'A picture or document',
  options: 'none',
  validationKeys: ['accept', 'max_size'],
  requiredProblem: { code: 'file_missing' },
  parse: (_sent, field, files) => {
    const [received, second] = files
    if (!received) return { answer: null }
    return second ? { problem: { code: 'several_files' } } : checkFile(received, field)
  },
  widget: 'upload',
  control: { type: 'file' },
  sample: () => ({ name: 'sample.pdf', size: 1024, type: 'application/pdf', upload_id: 0 }),
}

function checkFile({ name, size, type }: ReceivedFile, { validation }: TypedField): Checked {
  const limit = maxFileBytes(validation)
  if (size > limit) return { problem: { code: 'file_too_large', params: { max: formatFileSize(limit) } } }
  if (size === 0) return { problem: { code: 'file_empty' } }
  if (type === null || !isAccepted(type, validation.accept)) {
    const kinds = describeAccepted(validation.accept)
    return { problem: { code: 'file_of_other_kind', params: { kinds } } }
  }
  return { answer: { name, size, type, upload_id: 0 } }
}
