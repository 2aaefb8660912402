import { PICTURE_HEIGHT, PICTURE_WIDTH, type ShareDrawing } from '../../site/pages/share-picture.ts'
import { escapeXml } from '../../site/pages/site-files.ts'
import { type DrawnText, drawnText, type FontFamily } from './drawing-fonts.ts'
import { wrapText } from './wrap-text.ts'

const LEFT = 84
const TEXT_WIDTH = 760
const TITLE_SIZES = [88, 76, 64, 54]
const MOST_LINES = 3
const SUBTITLE_SIZE = 44
const SMALL_SIZE = 34
const MIDDLE = 330

/** Draws the picture as SVG. The same drawing always gives the same text. */
export function drawPicture({ colors, siteName, title, subtitle, footer }: ShareDrawing): string {
  const { band, on_band: ink, accent } = colors
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PICTURE_WIDTH}" height="${PICTURE_HEIGHT}">`,
    `<rect width="${PICTURE_WIDTH}" height="${PICTURE_HEIGHT}" fill="${band}"/>`,
    place(colors),
    `<rect x="${LEFT}" y="76" width="14" height="44" rx="4" fill="${accent}"/>`,
    text(drawnText(siteName), { x: LEFT + 34, y: 110, size: SMALL_SIZE, weight: 500, fill: ink }),
    ...heading(title, subtitle, colors),
    footer ? text(drawnText(footer), { x: LEFT, y: 562, size: SMALL_SIZE, weight: 500, fill: ink }) : '',
    '</svg>',
  ].join('')
}

// A pin surrounded by rings, as on a map.
function place({ band, on_band, accent, primary }: ShareDrawing['colors']): string {
  const ring = (radius: number) =>
    `<circle cx="1010" cy="330" r="${radius}" fill="none" stroke="${on_band}" stroke-opacity="0.2" stroke-width="3"/>`
  const pin = 'M1010 440C955 370 920 325 920 280a90 90 0 0 1 180 0C1100 325 1065 370 1010 440Z'
  return [
    `<circle cx="1010" cy="330" r="380" fill="${primary}" fill-opacity="0.6"/>`,
    ...[380, 285, 190].map(ring),
    `<path d="${pin}" fill="${accent}"/><circle cx="1010" cy="280" r="36" fill="${band}"/>`,
  ].join('')
}

function heading(
  title: string,
  subtitle: string | null,
  { on_band, accent }: ShareDrawing['colors'],
): string[] {
  const drawn = drawnText(title)
  const { size, lines } = fit(drawn.text)
  const lineHeight = Math.round(size * 1.1)
  const height = lines.length * lineHeight + (subtitle ? SUBTITLE_SIZE * 1.5 : 0)
  const top = Math.round(MIDDLE - height / 2 + size * 0.8)
  const below = top + (lines.length - 1) * lineHeight + Math.round(SUBTITLE_SIZE * 1.7)
  return [
    ...lines.map((line, index) =>
      text(
        { ...drawn, text: line },
        { x: LEFT, y: top + index * lineHeight, size, weight: 800, fill: on_band },
      ),
    ),
    subtitle
      ? text(drawnText(subtitle), { x: LEFT, y: below, size: SUBTITLE_SIZE, weight: 500, fill: accent })
      : '',
  ]
}

// The largest size at which the title fits three lines. Longer titles are cut off.
function fit(title: string): { size: number; lines: string[] } {
  for (const size of TITLE_SIZES) {
    const lines = wrapText(title, TEXT_WIDTH / size)
    if (lines.length <= MOST_LINES) return { size, lines }
  }
  const size = TITLE_SIZES.at(-1) ?? SMALL_SIZE
  const lines = wrapText(title, TEXT_WIDTH / size).slice(0, MOST_LINES)
  return { size, lines: lines.map((line, index) => (index === MOST_LINES - 1 ? `${line} …` : line)) }
}

interface TextStyle {
  x: number
  y: number
  size: number
  weight: number
  fill: string
}

function text({ family, text: content }: Pick<DrawnText, 'family' | 'text'>, style: TextStyle): string {
  if (content === '') return ''
  const { x, y, size, weight, fill } = style
  const attributes = `x="${x}" y="${y}" font-family="${family}" font-size="${size}" font-weight="${weight}" fill="${fill}"`
  return `<text ${attributes}>${escapeXml(content)}</text>`
}

/** Finds the fonts that a picture needs. */
export function familiesOf({ siteName, title, subtitle, footer }: ShareDrawing): Set<FontFamily> {
  const texts = [siteName, title, subtitle ?? '', footer ?? '']
  return new Set(['Figtree', ...texts.map((one) => drawnText(one).family)])
}
