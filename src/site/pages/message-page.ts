import { errorPageTexts } from '../../messages/visitor/pages.ts'
import { headTitle } from './head-texts.ts'
import type { LayoutView } from './layout-view.ts'
import { type Page, viewOf } from './page.ts'
import { fixedKey } from './page-key.ts'

export interface MessageView {
  heading: string
  text: string
}

/** A page that says what happened and what to do next, such as `/404`. Search engines don't list it. */
export function messagePage(layout: LayoutView, path: string, message: MessageView): Page<MessageView> {
  return {
    path,
    key: fixedKey(path),
    partial: 'message',
    view: viewOf(layout, path, {
      title: headTitle(message.heading, layout.siteName),
      description: message.text,
      isHidden: true,
      breadcrumbs: [],
      detail: message,
    }),
  }
}

/** The error pages every release carries. */
export function errorPages(layout: LayoutView): Page<MessageView>[] {
  return [
    messagePage(layout, '/404', errorPageTexts.missing),
    messagePage(layout, '/410', errorPageTexts.gone),
    messagePage(layout, '/500', errorPageTexts.failed),
  ]
}
