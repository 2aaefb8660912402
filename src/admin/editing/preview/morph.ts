/**
 * Turns one page into another by changing only what differs, so that nothing flickers, open questions stay open, and
 * the page keeps its scroll position.
 */
export function morph(shown: Element, next: Element): void {
  if (shown.isEqualNode(next)) return
  if (!hasSameShape(shown, next)) {
    shown.replaceWith(shown.ownerDocument.adoptNode(next))
    return
  }
  const wanted = [...next.children]
  for (const [index, child] of [...shown.children].entries()) {
    const other = wanted[index]
    if (other) morph(child, other)
  }
}

// Only then can their children be compared.
function hasSameShape(shown: Element, next: Element): boolean {
  return (
    shown.children.length === next.children.length &&
    shown.cloneNode(false).isEqualNode(next.cloneNode(false)) &&
    ownText(shown) === ownText(next)
  )
}

function ownText({ childNodes }: Element): string {
  return [...childNodes].map((node) => (node.nodeType === Node.TEXT_NODE ? node.nodeValue : '·')).join('')
}
