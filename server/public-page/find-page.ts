import { findActiveDojos } from '../accounts/accounts.ts'
import type { Tx } from '../db/database.ts'
import { readDojoCard } from '../pictures/pictures.ts'
import { dojoById } from '../dojos/dojos.ts'
import type { School } from './document.ts'
import { findDojoOfSlug, findPublicPageRow } from './settings.ts'
import type { publicPages } from './tables.ts'

/** A school as visitors see it. */
export type VisiblePage = {
  dojoId: string
  page: typeof publicPages.$inferSelect
  school: School
  city: string | null
  timeZone: string
}

/** Which dojo an address leads to. A page has had several addresses if its name was changed. */
export const findDojoOfAddress = (tx: Tx, address: string): Promise<string | null> =>
  findDojoOfSlug(tx, address.toLowerCase())

/** Null while the page is off, and for schools that are not active. */
export async function readVisiblePage(tx: Tx, dojoId: string): Promise<VisiblePage | null> {
  const visiblePage = await readPageForGuests(tx, dojoId)
  return visiblePage?.page.is_on ? visiblePage : null
}

/** For visitors who booked before the page was turned off. */
export async function readPageForGuests(tx: Tx, dojoId: string): Promise<VisiblePage | null> {
  const page = await findPublicPageRow(tx)
  if (!page || !(await findActiveDojos(tx, [dojoId])).has(dojoId)) return null
  const { dojo_name, dojo_color, dojo_logo, dojo_city, dojo_state } = await readDojoCard(tx)
  return {
    dojoId,
    page,
    school: { name: dojo_name, color: dojo_color, logo: dojo_logo },
    city: [dojo_city, dojo_state].filter(Boolean).join(', ') || null,
    timeZone: (await dojoById(tx, dojoId)).time_zone,
  }
}
