import { inflateRawSync } from 'node:zlib'

const END = 0x06054b50
const LOCAL_HEADER = 30

/** Reads the files of a ZIP by name, through its central directory like other programs. */
export function zipEntries(zip: Buffer): Map<string, Buffer> {
  let end = zip.length - 22
  while (end >= 0 && zip.readUInt32LE(end) !== END) end -= 1
  const count = zip.readUInt16LE(end + 10)
  const entries = new Map<string, Buffer>()
  let at = zip.readUInt32LE(end + 16)
  for (let index = 0; index < count; index += 1) {
    const [size, nameLength] = [zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 28)]
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const local = zip.readUInt32LE(at + 42)
    const start = local + LOCAL_HEADER + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const bytes = zip.subarray(start, start + size)
    entries.set(name, zip.readUInt16LE(at + 10) === 8 ? inflateRawSync(bytes) : bytes)
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}
