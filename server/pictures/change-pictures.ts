import {
  type DojoBranding,
  MAX_PICTURE_BYTES,
  MAX_SIDE_PIXELS,
  MIN_SIDE_PIXELS,
  NOT_A_LOGO,
  NOT_A_PICTURE,
  TOO_LARGE,
  WRONG_SIZE,
} from '@tatami/contract/pictures/pictures'
import { and, eq, isNull } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { dojos } from '../dojos/tables.ts'
import { guardianships } from '../guardians/tables.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'
import { type CleanPicture, cleanPicture } from './clean-picture.ts'
import { createPictureKey, readDojoLook, readPhotos } from './pictures.ts'
import { dojoLogos, studentPhotos } from './tables.ts'

export function parsePicture(base64: string): CleanPicture {
  const file = Buffer.from(base64, 'base64')
  if (file.length > MAX_PICTURE_BYTES) throw invalid('picture', TOO_LARGE)
  const picture = cleanPicture(file)
  if (!picture) throw invalid('picture', NOT_A_PICTURE)
  const sides = [picture.width, picture.height]
  if (Math.min(...sides) < MIN_SIDE_PIXELS || Math.max(...sides) > MAX_SIDE_PIXELS)
    throw invalid('picture', WRONG_SIZE)
  return picture
}

/** Each version of a picture gets a new address. */
const createVersion = (picture: CleanPicture) => ({
  ...picture,
  key: createPictureKey(),
  changed_at: nowIso(),
})

/** Throws 404 if the caller may not see the student, 403 for a guardian who may not change
 *  contacts. */
async function requirePhotoAccess(tx: Tx, caller: DojoCaller, studentId: string): Promise<void> {
  // The lock keeps anyone from deleting the student until the photo is saved.
  const [student] = await tx
    .select({ id: students.id })
    .from(students)
    .where(eq(students.id, studentId))
    .for('key share')
  if (!student) throw notFound('Student')
  if (caller.role === 'instructor') return
  const [link] = await tx
    .select({ may_edit: guardianships.may_edit })
    .from(guardianships)
    .where(
      and(
        eq(guardianships.guardian_id, caller.id),
        eq(guardianships.student_id, studentId),
        eq(guardianships.sees, true),
        isNull(guardianships.ended_at),
      ),
    )
  if (!link && caller.id !== studentId) throw notFound('Student')
  if (!link?.may_edit) throw new Refusal(403, 'You are not allowed to do this.')
}

export async function setPhoto(
  tx: Tx,
  caller: DojoCaller,
  student_id: string,
  base64: string,
): Promise<{ photo: string | null }> {
  await requirePhotoAccess(tx, caller, student_id)
  const version = createVersion(parsePicture(base64))
  await tx
    .insert(studentPhotos)
    .values({ student_id, ...version })
    .onConflictDoUpdate({
      target: [studentPhotos.dojo_id, studentPhotos.student_id],
      set: version,
    })
  await auditAction(tx, caller, 'photo set', { subject_id: student_id })
  return { photo: (await readPhotos(tx, [student_id])).get(student_id) ?? null }
}

/** Throws 404 if there is no photo. */
export async function removePhoto(tx: Tx, caller: DojoCaller, student_id: string): Promise<void> {
  await requirePhotoAccess(tx, caller, student_id)
  const removedRows = await tx
    .delete(studentPhotos)
    .where(eq(studentPhotos.student_id, student_id))
    .returning({ id: studentPhotos.student_id })
  if (removedRows.length === 0) throw notFound('Photo')
  await auditAction(tx, caller, 'photo removed', { subject_id: student_id })
}

export async function setLogo(tx: Tx, caller: DojoCaller, base64: string): Promise<DojoBranding> {
  const picture = parsePicture(base64)
  // A certificate can embed a JPEG without decoding it. Decoding any other picture would block the
  // server, for up to a second if a PNG is made to be slow.
  if (picture.media_type !== 'image/jpeg') throw invalid('picture', NOT_A_LOGO)
  const version = createVersion(picture)
  await tx
    .insert(dojoLogos)
    .values(version)
    .onConflictDoUpdate({ target: dojoLogos.dojo_id, set: version })
  await auditAction(tx, caller, 'logo set')
  return readDojoLook(tx)
}

/** Does nothing if there is no logo. */
export async function removeLogo(tx: Tx, caller: DojoCaller): Promise<DojoBranding> {
  const removedRows = await tx
    .delete(dojoLogos)
    .where(eq(dojoLogos.dojo_id, caller.dojoId))
    .returning({ key: dojoLogos.key })
  if (removedRows.length > 0) await auditAction(tx, caller, 'logo removed')
  return readDojoLook(tx)
}

export async function setColor(
  tx: Tx,
  caller: DojoCaller,
  color: string | null,
): Promise<DojoBranding> {
  await tx.update(dojos).set({ color }).where(eq(dojos.id, caller.dojoId))
  await auditAction(tx, caller, 'school color set')
  return readDojoLook(tx)
}
