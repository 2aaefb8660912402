import { headTitle } from './head-texts.ts'
import type { LayoutView } from './layout-view.ts'
import { type Page, viewOf } from './page.ts'
import { fixedKey } from './page-key.ts'

export interface MessageView {
  heading: string
  text: string
}

/** A page that says what happened and what to do next, such as `/404`. Search engines do not list it. */
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
    messagePage(layout, '/404', {
      heading: 'This page does not exist',
      text: 'The address may be mistyped, or the page may have moved. The services and the start page are a click away.',
    }),
    messagePage(layout, '/410', {
      heading: 'This page is gone',
      text: 'What stood at this address was taken down for good. The services and the start page are a click away.',
    }),
    messagePage(layout, '/500', {
      heading: 'Something went wrong on our side',
      text: 'Nothing you did caused this. Please try again in a minute, or call us.',
    }),
  ]
}
