import type { APIContext } from 'astro'
import type { Form } from '../../forms/form.ts'
import { findForm } from '../../forms/form-store.ts'
import type { Saver } from '../../versions/version.ts'
import { savingBy } from '../audit/saving-by.ts'
import { appOf, getAdministrator } from '../kit/page-context.ts'

type Context = Pick<APIContext, 'locals' | 'params' | 'url'>

/** Finds the form in the URL. */
export async function findFormOfPage(context: Context): Promise<Form | undefined> {
  return findForm(appOf(context).db, context.params.form ?? '')
}

/** Returns who changes a form, and when. */
export function editingOf(context: Context, source?: Saver['source']) {
  return { updatedBy: getAdministrator(context).id, ...savingBy(context, source) }
}
