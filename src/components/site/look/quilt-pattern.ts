const CELLS = 4
/** Width and height of a cell, in the units of the pattern. */
const SIZE = 24

// Corners of a half-square triangle, clockwise from the top left, each left out in turn.
const CORNERS = [
  [0, 0],
  [SIZE, 0],
  [SIZE, SIZE],
  [0, SIZE],
] as const

export const QUILT_SIZE = CELLS * SIZE

// For each cell the triangles without each of its corners.
const TRIANGLES = Array.from({ length: CELLS * CELLS }, (_, index) =>
  CORNERS.map((_, leftOut) => triangle(index % CELLS, Math.floor(index / CELLS), leftOut)),
)

/**
 * Returns a quilt block of triangles as SVG path data. Each text has its own block, always the same, mirrored both
 * ways like a real quilt.
 */
export function quiltPath(text: string): string {
  const choices = choicesOf(text)
  const half = CELLS / 2
  let path = ''
  for (const [index, triangles] of TRIANGLES.entries()) {
    const [column, row] = [index % CELLS, Math.floor(index / CELLS)]
    const [mirrorsX, mirrorsY] = [column >= half, row >= half]
    const at = (mirrorsY ? CELLS - 1 - row : row) * half + (mirrorsX ? CELLS - 1 - column : column)
    path += triangles[mirrored(choices[at] ?? 0, mirrorsX, mirrorsY)]
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
  const points = CORNERS.filter((_, index) => index !== leftOut)
  return `M${points.map(([x, y]) => `${column * SIZE + x} ${row * SIZE + y}`).join('L')}z`
}
