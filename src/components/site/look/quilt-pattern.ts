/** Width and height of a block, in cells. */
export const QUILT_CELLS = 4

// A half-square triangle without each of the corners, clockwise from the top left: where it starts, and its two legs.
const TRIANGLES = [
  { x: 1, y: 0, legs: 'v1h-1z' },
  { x: 0, y: 0, legs: 'v1h1z' },
  { x: 0, y: 1, legs: 'v-1h1z' },
  { x: 0, y: 0, legs: 'h1v1z' },
] as const

/**
 * Returns a quilt block of triangles as SVG path data, with a cell as its unit. Each text has its own block, always the same,
 * mirrored both ways like a real quilt.
 */
export function quiltPath(text: string): string {
  const choices = choicesOf(text)
  const half = QUILT_CELLS / 2
  let path = ''
  for (let row = 0; row < QUILT_CELLS; row += 1)
    for (let column = 0; column < QUILT_CELLS; column += 1) {
      const [mirrorsX, mirrorsY] = [column >= half, row >= half]
      const at =
        (mirrorsY ? QUILT_CELLS - 1 - row : row) * half + (mirrorsX ? QUILT_CELLS - 1 - column : column)
      path += triangle(column, row, mirrored(choices[at] ?? 0, mirrorsX, mirrorsY))
    }
  return path
}

// Two bits for each cell of a quarter, from a small hash (FNV-1a).
function choicesOf(text: string): number[] {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return [0, 8, 16, 24].map((shift) => (hash >>> shift) & 3)
}

function mirrored(corner: number, mirrorsX: boolean, mirrorsY: boolean): number {
  const flippedX = mirrorsX ? corner ^ 1 : corner
  return mirrorsY ? 3 - flippedX : flippedX
}

function triangle(column: number, row: number, leftOut: number): string {
  const { x, y, legs } = TRIANGLES[leftOut as 0 | 1 | 2 | 3]
  return `M${column + x} ${row + y}${legs}`
}
