import {
  PUBLIC_PAGE_PATH,
  type PublicPage,
  type PublicPageForm,
  slugOf,
} from '@tatami/contract/public-page/public-page'
import { eq } from 'drizzle-orm'
import { toDataURL } from 'qrcode'
import { auditAction } from '../audit/audit.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { dojoById } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { firstRow, omit } from '../lib/rows.ts'
import { Refusal } from '../lib/refusal.ts'
import { listPagePhotos } from './photos.ts'
import { publicPages, slugHistory } from './tables.ts'

const SLUG_TAKEN = 'Another school has this address. Please choose another one.'

/** Plenty for a family in an hour, and for a school in a day. */
const DEFAULT_LIMITS = { bookings_per_hour: 5, bookings_per_day: 30 }

type PageRow = typeof publicPages.$inferSelect

export async function findPublicPageRow(tx: Tx): Promise<PageRow | undefined> {
  const [row] = await tx.select().from(publicPages)
  return row
}

export async function readPublicPage(
  tx: Tx,
  dojoId: string,
  publicUrl: string,
): Promise<PublicPage> {
  const row = await findPublicPageRow(tx)
  return row ? describePage(tx, row, publicUrl) : proposePage(tx, dojoId, publicUrl)
}

const pageUrl = (publicUrl: string, name: string): string =>
  `${publicUrl}${PUBLIC_PAGE_PATH}/${name}`

async function describePage(tx: Tx, row: PageRow, publicUrl: string): Promise<PublicPage> {
  const photos = await listPagePhotos(tx)
  const lasting_link = pageUrl(publicUrl, row.link_id)
  return {
    ...omit(row, 'dojo_id', 'link_id', 'changed_at'),
    photos,
    link: pageUrl(publicUrl, row.slug),
    lasting_link,
    qr: await toDataURL(lasting_link, { margin: 1, width: 320 }),
  }
}

/** What the owner sees before the first save. */
async function proposePage(tx: Tx, dojoId: string, publicUrl: string): Promise<PublicPage> {
  const { name, city } = await dojoById(tx, dojoId)
  const slug = await proposeSlug(tx, dojoId, name, city)
  return {
    is_on: false,
    slug,
    headline: null,
    about: null,
    bring: null,
    address: null,
    map_url: null,
    phone: null,
    language: 'en',
    names_instructors: false,
    allowed_sites: [],
    ...DEFAULT_LIMITS,
    photos: await listPagePhotos(tx),
    link: pageUrl(publicUrl, slug),
    lasting_link: null,
    qr: null,
  }
}

const MIN_SLUG_LENGTH = 3

async function proposeSlug(
  tx: Tx,
  dojoId: string,
  name: string,
  city: string | null,
): Promise<string> {
  const nameSlug = slugOf(name)
  const slug = nameSlug.length < MIN_SLUG_LENGTH ? slugOf(`dojo ${nameSlug}`) : nameSlug
  const owner = await findDojoOfSlug(tx, slug)
  return owner === null || owner === dojoId ? slug : slugOf(`${slug} ${city ?? 'dojo'}`)
}

/** Which dojo has, or has ever had, this address. */
export async function findDojoOfSlug(tx: Tx, slug: string): Promise<string | null> {
  const [row] = await tx
    .select({ dojo_id: slugHistory.dojo_id })
    .from(slugHistory)
    .where(eq(slugHistory.slug, slug))
  return row?.dojo_id ?? null
}

export async function savePublicPage(
  tx: Tx,
  caller: DojoCaller,
  form: PublicPageForm,
  publicUrl: string,
): Promise<PublicPage> {
  await claimSlug(tx, caller.dojoId, form.slug)
  const values = { ...emptyTexts(form), changed_at: nowIso() }
  const link_id = newId()
  const rows = await tx
    .insert(publicPages)
    .values({ ...values, link_id })
    .onConflictDoUpdate({ target: [publicPages.dojo_id], set: values })
    .returning()
  const page = firstRow(rows)
  // The id of the QR code is another address of the page.
  if (page.link_id === link_id) await claimSlug(tx, caller.dojoId, link_id)
  await auditAction(tx, caller, 'public page changed', { details: { is_on: form.is_on } })
  return describePage(tx, page, publicUrl)
}

/** Fields that the form leaves out are empty. */
const emptyTexts = (form: PublicPageForm) => ({
  ...form,
  headline: form.headline ?? null,
  about: form.about ?? null,
  bring: form.bring ?? null,
  address: form.address ?? null,
  map_url: form.map_url ?? null,
  phone: form.phone ?? null,
  bookings_per_hour: form.bookings_per_hour ?? DEFAULT_LIMITS.bookings_per_hour,
  bookings_per_day: form.bookings_per_day ?? DEFAULT_LIMITS.bookings_per_day,
})

/** Throws 409 if another dojo has, or has ever had, the address. */
async function claimSlug(tx: Tx, dojo_id: string, slug: string): Promise<void> {
  await tx.insert(slugHistory).values({ slug, dojo_id }).onConflictDoNothing()
  if ((await findDojoOfSlug(tx, slug)) !== dojo_id)
    throw new Refusal(409, SLUG_TAKEN, { errors: [{ field: 'slug', message: SLUG_TAKEN }] })
}
