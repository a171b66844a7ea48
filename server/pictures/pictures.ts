import { randomBytes } from 'node:crypto'
import type { DojoLook } from '@tatami/contract/pictures/pictures'
import { and, eq } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import { currentDojoId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { dojos } from '../dojos/tables.ts'
import type { Letterhead } from '../lib/letterhead.ts'
import { firstRow, pick } from '../lib/rows.ts'
import { dojoLogos, studentPhotos } from './tables.ts'

/** Anyone who knows the address can see the picture, so it has 128 random bits. */
export const newPictureKey = (): string => randomBytes(16).toString('base64url')

type PictureFolder = 'photos' | 'logos'
/** Begins with the dojo's id, so that the server knows which dojo to look in. */
const pictureAddress = (
  folder: PictureFolder,
  { dojo_id, key }: { dojo_id: string; key: string },
) => `/${folder}/${dojo_id}.${key}.jpg`

const FILE_NAME = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{22})\.jpg$/

export function parsePictureFile(file: string): { dojoId: string; key: string } | null {
  const [, dojoId, key] = FILE_NAME.exec(file) ?? []
  return dojoId && key ? { dojoId, key } : null
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
  return new Map(rows.map((row) => [row.student_id, pictureAddress('photos', row)]))
}

/** Makes the old addresses stop working for people who may no longer see the students. */
export async function renewPhotoAddresses(tx: Tx, studentIds: string[]): Promise<void> {
  for (const student_id of (await readPhotos(tx, studentIds)).keys())
    await tx
      .update(studentPhotos)
      .set({ key: newPictureKey() })
      .where(eq(studentPhotos.student_id, student_id))
}

/** The logo and color of the transaction's dojo. */
export async function readDojoLook(tx: Tx): Promise<DojoLook> {
  const rows = await tx
    .select({ color: dojos.color, dojo_id: dojos.id, key: dojoLogos.key })
    .from(dojos)
    .leftJoin(dojoLogos, eq(dojoLogos.dojo_id, dojos.id))
    .where(eq(dojos.id, currentDojoId))
  const { color, dojo_id, key } = firstRow(rows)
  return {
    dojo_logo: key === null ? null : pictureAddress('logos', { dojo_id, key }),
    dojo_color: color,
  }
}

export type PictureFile = Pick<typeof dojoLogos.$inferSelect, 'media_type' | 'bytes'>

export async function readLogoFile(tx: Tx): Promise<PictureFile | null> {
  const [logo] = await tx.select(pick(dojoLogos, 'media_type', 'bytes')).from(dojoLogos)
  return logo ?? null
}

/** Null if the school has neither a logo nor a color. Its emails are plain text then. */
export async function readLetterhead(tx: Tx): Promise<Letterhead | null> {
  const rows = await tx
    .select(pick(dojos, 'name', 'color'))
    .from(dojos)
    .where(eq(dojos.id, currentDojoId))
  const logo = await readLogoFile(tx)
  const { name, color } = firstRow(rows)
  return logo || color !== null ? { name, color, logo } : null
}

/** The picture at an address. A photo's key does not work for logos, and vice versa. */
export async function findPicture(
  tx: Tx,
  folder: PictureFolder,
  { dojoId, key }: { dojoId: string; key: string },
): Promise<PictureFile | null> {
  const table = folder === 'photos' ? studentPhotos : dojoLogos
  const [picture] = await tx
    .select(pick(table, 'media_type', 'bytes'))
    .from(table)
    .where(and(eq(table.dojo_id, dojoId), eq(table.key, key)))
  return picture ?? null
}
