import assert from 'node:assert/strict'
import { test } from 'node:test'
import { focusInTenths, partInFrame } from '#src/pictures/shown-part.ts'

const RIGHT = { x: 0.5, y: 0, width: 0.5, height: 1 }
const LOWER = { x: 0, y: 0.5, width: 1, height: 0.5 }

test('a focal point is relative to the visible part of its picture', () => {
  for (const { focalPoint, crop, tenths } of [
    { focalPoint: null, crop: RIGHT, tenths: undefined },
    { focalPoint: [0.25, 0.33] as const, crop: null, tenths: [3, 3] },
    { focalPoint: [0.75, 0.33] as const, crop: RIGHT, tenths: [5, 3] },
    { focalPoint: [0.1, 1] as const, crop: RIGHT, tenths: [0, 10] },
    { focalPoint: [0.5, 0.7] as const, crop: LOWER, tenths: [5, 4] },
  ])
    assert.deepEqual(focusInTenths({ focalPoint: focalPoint && [...focalPoint], crop }), tenths)
})

test('a frame shows the largest part of its shape around the focal point', () => {
  const wide = { width: 1_000, height: 400, focalPoint: null, crop: null }
  assert.deepEqual(partInFrame(wide, 1), { x: 300, y: 0, width: 400, height: 400 })
  assert.deepEqual(partInFrame({ ...wide, focalPoint: [1, 0] }, 1), { x: 600, y: 0, width: 400, height: 400 })
  assert.deepEqual(partInFrame({ ...wide, crop: RIGHT }, 2), { x: 500, y: 75, width: 500, height: 250 })
})
