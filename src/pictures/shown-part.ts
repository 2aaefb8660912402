import type { Picture } from './picture.ts'

type Framed = Pick<Picture, 'focalPoint' | 'crop'>

const WHOLE = { x: 0, y: 0, width: 1, height: 1 }

/**
 * Returns the focal point in tenths of the picture's visible part, from its left and top edges; undefined for the
 * center.
 */
export function focusInTenths({ focalPoint, crop }: Framed): [x: number, y: number] | undefined {
  if (!focalPoint) return undefined
  const { x, y, width, height } = crop ?? WHOLE
  const [left, top] = focalPoint
  return [tenths((left - x) / width), tenths((top - y) / height)]
}

function tenths(part: number): number {
  return Math.round(Math.min(1, Math.max(0, part)) * 10)
}

/** Returns the part of a picture that pages show in a frame of this shape (width / height), in its own pixels. */
export function partInFrame(
  { width: full, height: tall, ...framed }: Framed & Pick<Picture, 'width' | 'height'>,
  shape: number,
): { x: number; y: number; width: number; height: number } {
  const crop = framed.crop ?? WHOLE
  const [fullWidth, fullHeight] = [full * crop.width, tall * crop.height]
  const width = Math.min(fullWidth, fullHeight * shape)
  const height = width / shape
  const [x, y] = focusInTenths(framed) ?? [5, 5]
  return {
    x: full * crop.x + ((fullWidth - width) * x) / 10,
    y: tall * crop.y + ((fullHeight - height) * y) / 10,
    ...{ width, height },
  }
}
