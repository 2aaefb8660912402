import type { Page } from 'playwright-core'

/** Lists the texts that are too pale for paper, where browsers print no backgrounds. */
export async function paleInPrint(page: Page): Promise<string[]> {
  await page.emulateMedia({ media: 'print', colorScheme: 'light' })
  const pale = await page.locator('body *').evaluateAll((all) =>
    all.flatMap((element) => {
      const texts = [...element.childNodes].flatMap((node) =>
        node.nodeType === 3 ? [node.nodeValue ?? ''] : [],
      )
      const text = texts.join('').trim()
      if (text === '' || !element.checkVisibility({ visibilityProperty: true })) return []
      const canvas = new OffscreenCanvas(1, 1).getContext('2d')
      if (!canvas) return []
      canvas.fillStyle = getComputedStyle(element).color
      canvas.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
      // A rough brightness tells white from ink.
      return 0.3 * red + 0.6 * green + 0.1 * blue > 170 ? [`${element.className}: ${text}`] : []
    }),
  )
  await page.emulateMedia({ media: 'screen', colorScheme: null })
  return pale
}
