import { randomBytes } from 'node:crypto'
import type { DojoBranding, DojoCard } from '@tatami/contract/pictures/pictures'
import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { eq, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import { currentDojoId } from '../db/columns.ts'
import type { Database, Tx } from '../db/database.ts'
import { dojos } from '../dojos/tables.ts'
import { now } from '../lib/clock.ts'
import type { Letterhead } from '../lib/letterhead.ts'
import { firstRow, pick } from '../lib/rows.ts'
import { hmac, isEqual } from '../lib/secrets.ts'
import { dojoLogos, studentPhotos } from './tables.ts'

export const createPictureKey = (): string => randomBytes(16).toString('base64url')

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** Addresses begin with the dojo's id, so that the server knows which dojo to look in. */
const LOGO_FILE = new RegExp(`^(${UUID})\\.([\\w-]{22})\\.jpg$`)
const PHOTO_FILE = new RegExp(`^(${UUID})\\.(${UUID})\\.(\\d{5})\\.([\\w-]{22})\\.jpg$`)

const createLogoAddress = ({ dojo_id, key }: { dojo_id: string; key: string }) =>
  `/logos/${dojo_id}.${key}.jpg`

const PHOTO_DAYS = 2
const SIGNATURE_LETTERS = 22
/** Days since 1970, in UTC. */
const currentDayNumber = (): number => Math.floor(now().getTime() / DAY_MS)
const signDay = (key: string, day: string): string =>
  hmac(key, 'photo', day).slice(0, SIGNATURE_LETTERS)

type Photo = Pick<typeof studentPhotos.$inferSelect, 'dojo_id' | 'student_id' | 'key'>

/** Anyone who knows the address can see the photo, so the address expires after two days. It stays
 *  the same for a day, so that browsers do not load the photo again. */
function createPhotoAddress({ dojo_id, student_id, key }: Photo): string {
  const day = String(currentDayNumber())
  return `/photos/${dojo_id}.${student_id}.${day}.${signDay(key, day)}.jpg`
}

/** Student id → address of the photo. Call it only for users who may see these students. Null reads
 *  the photos of all students. */
export async function readPhotos(
  tx: Tx,
  studentIds: string[] | null,
): Promise<Map<string, string>> {
  const rows = await tx
    .select(pick(studentPhotos, 'dojo_id', 'student_id', 'key'))
    .from(studentPhotos)
    .where(studentIds === null ? undefined : equalsAny(studentPhotos.student_id, studentIds))
  return new Map(rows.map((row) => [row.student_id, createPhotoAddress(row)]))
}

/** Makes the old addresses stop working for people who may no longer see the students. Null renews
 *  the addresses of all photos. */
export async function renewPhotoAddresses(tx: Tx, studentIds: string[] | null): Promise<void> {
  await tx
    .update(studentPhotos)
    .set({ key: sql`gen_random_uuid()::text` })
    .where(studentIds === null ? undefined : equalsAny(studentPhotos.student_id, studentIds))
}

/** The logo and color of the transaction's dojo. */
export async function readDojoLook(tx: Tx): Promise<DojoBranding> {
  const rows = await tx
    .select({ color: dojos.color, dojo_id: dojos.id, key: dojoLogos.key })
    .from(dojos)
    .leftJoin(dojoLogos, eq(dojoLogos.dojo_id, dojos.id))
    .where(eq(dojos.id, currentDojoId))
  const { color, dojo_id, key } = firstRow(rows)
  return {
    dojo_logo: key === null ? null : createLogoAddress({ dojo_id, key }),
    dojo_color: color,
  }
}

export async function readDojoCard(tx: Tx): Promise<DojoCard> {
  const [dojo] = await tx
    .select({ dojo_name: dojos.name, dojo_city: dojos.city, dojo_state: dojos.state })
    .from(dojos)
    .where(eq(dojos.id, currentDojoId))
  if (!dojo) throw new Error('The dojo of this transaction is missing')
  return { ...dojo, ...(await readDojoLook(tx)) }
}

export type PictureFile = Pick<typeof dojoLogos.$inferSelect, 'media_type' | 'bytes'>

export async function readLogoFile(tx: Tx): Promise<PictureFile | null> {
  const [logo] = await tx.select(pick(dojoLogos, 'media_type', 'bytes')).from(dojoLogos)
  return logo ?? null
}

/** Returns null if the school has neither a logo nor a color. Its emails are then plain text. */
export async function readLetterhead(tx: Tx): Promise<Letterhead | null> {
  const rows = await tx
    .select(pick(dojos, 'name', 'color'))
    .from(dojos)
    .where(eq(dojos.id, currentDojoId))
  const logo = await readLogoFile(tx)
  const { name, color } = firstRow(rows)
  return logo || color !== null ? { name, color, logo } : null
}

export async function findLogo(db: Database, file: string): Promise<PictureFile | null> {
  const [, dojoId, key] = LOGO_FILE.exec(file) ?? []
  if (!dojoId || !key) return null
  const logos = await db.inDojo(dojoId, (tx) =>
    tx
      .select(pick(dojoLogos, 'media_type', 'bytes'))
      .from(dojoLogos)
      .where(eq(dojoLogos.key, key)),
  )
  return logos[0] ?? null
}

/** Returns null if the address has expired. Its day may be tomorrow, because another server's clock
 *  may be ahead. */
export async function findPhoto(db: Database, file: string): Promise<PictureFile | null> {
  const [, dojoId, studentId, day, signature] = PHOTO_FILE.exec(file) ?? []
  if (!dojoId || !studentId || !day || !signature) return null
  if (Number(day) <= currentDayNumber() - PHOTO_DAYS) return null
  const [photo] = await db.inDojo(dojoId, (tx) =>
    tx
      .select(pick(studentPhotos, 'key', 'media_type', 'bytes'))
      .from(studentPhotos)
      .where(eq(studentPhotos.student_id, studentId)),
  )
  return photo && isEqual(signature, signDay(photo.key, day)) ? photo : null
}
