import { MAX_PAGE_PHOTOS, type PagePhoto } from '@tatami/contract/public-page/public-page'
import { asc, eq } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { newId } from '../db/columns.ts'
import type { Database, Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { firstRow, pick } from '../lib/rows.ts'
import { parsePicture } from '../pictures/change-pictures.ts'
import type { PictureFile } from '../pictures/pictures.ts'
import { pagePhotos, publicPages } from './tables.ts'

export const PHOTO_FOLDER = 'page-photos'

type PhotoKey = { dojo_id: string; id: string }

const address = ({ dojo_id, id }: PhotoKey, size: 'small' | 'large') =>
  `/${PHOTO_FOLDER}/${dojo_id}.${id}.${size}.jpg`

const describePhoto = (photo: PhotoKey & { caption: string }): PagePhoto => ({
  ...pick(photo, 'id', 'caption'),
  address: address(photo, 'large'),
  small_address: address(photo, 'small'),
})

/** A photo with the size in which the page shows it. */
export type ShownPhoto = PagePhoto & { width: number; height: number }

/** The photos of the page, the oldest first. */
export async function listPagePhotos(tx: Tx): Promise<ShownPhoto[]> {
  const rows = await tx
    .select({
      ...pick(pagePhotos, 'dojo_id', 'id', 'caption'),
      width: pagePhotos.small_width,
      height: pagePhotos.small_height,
    })
    .from(pagePhotos)
    .orderBy(asc(pagePhotos.created_at), asc(pagePhotos.id))
  return rows.map((row) => ({ ...describePhoto(row), ...pick(row, 'width', 'height') }))
}

type NewPhoto = { picture: string; small_picture: string; caption: string }

/** A picture that is added twice is there once. Throws 409 if the page has as many photos as it may
 *  have. */
export async function addPagePhoto(
  tx: Tx,
  caller: DojoCaller,
  { picture, small_picture, caption }: NewPhoto,
): Promise<PagePhoto> {
  const large = parsePicture(picture)
  const small = parsePicture(small_picture)
  // The lock keeps two uploads at once from adding one photo too many.
  await tx.select({ slug: publicPages.slug }).from(publicPages).for('update')
  const [samePhoto] = await tx
    .update(pagePhotos)
    .set({ caption })
    .where(eq(pagePhotos.bytes, large.bytes))
    .returning(pick(pagePhotos, 'dojo_id', 'id', 'caption'))
  if (samePhoto) return describePhoto(samePhoto)
  if ((await tx.$count(pagePhotos)) >= MAX_PAGE_PHOTOS)
    throw new Refusal(409, `A page can have ${MAX_PAGE_PHOTOS} photos`)
  const rows = await tx
    .insert(pagePhotos)
    .values({
      id: newId(),
      caption,
      ...pick(large, 'media_type', 'bytes'),
      small_media_type: small.media_type,
      small_width: small.width,
      small_height: small.height,
      small_bytes: small.bytes,
    })
    .returning(pick(pagePhotos, 'dojo_id', 'id', 'caption'))
  await auditAction(tx, caller, 'page photo added')
  return describePhoto(firstRow(rows))
}

/** Throws 404 if there is no such photo. */
export async function removePagePhoto(tx: Tx, caller: DojoCaller, id: string): Promise<void> {
  const removedRows = await tx
    .delete(pagePhotos)
    .where(eq(pagePhotos.id, id))
    .returning({ id: pagePhotos.id })
  if (removedRows.length === 0) throw notFound('Photo')
  await auditAction(tx, caller, 'page photo removed')
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const PHOTO_FILE = new RegExp(String.raw`^(${UUID})\.(${UUID})\.(small|large)\.jpg$`)

export async function findPagePhoto(db: Database, file: string): Promise<PictureFile | null> {
  const [, dojoId, id, size] = PHOTO_FILE.exec(file) ?? []
  if (!dojoId || !id || !size) return null
  const columns =
    size === 'small'
      ? { media_type: pagePhotos.small_media_type, bytes: pagePhotos.small_bytes }
      : pick(pagePhotos, 'media_type', 'bytes')
  const [photo] = await db.inDojo(dojoId, (tx) =>
    tx.select(columns).from(pagePhotos).where(eq(pagePhotos.id, id)),
  )
  return photo ?? null
}
