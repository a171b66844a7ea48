import { asc, eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { firstRow, pick } from '../lib/rows.ts'
import { type PictureFile, readLogoFile } from '../pictures/pictures.ts'
import { studentPhotos } from '../pictures/tables.ts'
import { pagePhotos } from '../public-page/tables.ts'
import { students } from '../students/tables.ts'
import type { ExportSource } from './blocks.ts'
import type { ZipEntry } from './zip.ts'

/** Creates names that every file system accepts: "Leo Diaz", and "Leo Diaz 2" for a namesake. */
function createFileNames(names: readonly string[]): string[] {
  const countByName = new Map<string, number>()
  return names.map((name) => {
    const cleanName = name.replaceAll(/[^\p{L}\p{M}\p{N} '-]/gu, '').trim() || 'student'
    const key = cleanName.toLowerCase()
    const count = (countByName.get(key) ?? 0) + 1
    countByName.set(key, count)
    return count === 1 ? cleanName : `${cleanName} ${count}`
  })
}

const getExtension = ({ media_type }: Pick<PictureFile, 'media_type'>) =>
  media_type === 'image/jpeg' ? 'jpg' : media_type.replace('image/', '')

const createPictureFile = (
  name: string,
  picture: Pick<PictureFile, 'media_type'>,
  readBytes: () => Promise<Buffer>,
): ZipEntry => ({
  name: `${name}.${getExtension(picture)}`,
  async *content() {
    yield await readBytes()
  },
})

/** Lists the files of all photos, also those of the public page, and of the logo. A photo is read
 *  when the zip reaches it. */
export async function listPictureFiles({ tx, signal }: ExportSource): Promise<ZipEntry[]> {
  const photos = await tx
    .select({ ...pick(studentPhotos, 'student_id', 'media_type'), name: students.name })
    .from(studentPhotos)
    .innerJoin(students, eq(students.id, studentPhotos.student_id))
    .orderBy(asc(students.name), asc(students.id))
  const names = createFileNames(photos.map(({ name }) => name))
  const logo = await readLogoFile(tx)
  const pagePhotoRows = await tx
    .select(pick(pagePhotos, 'id', 'media_type'))
    .from(pagePhotos)
    .orderBy(asc(pagePhotos.created_at), asc(pagePhotos.id))
  return [
    ...photos.map((photo, index) =>
      createPictureFile(`pictures/${names[index]}`, photo, () => {
        signal.throwIfAborted()
        return readPhoto(tx, photo.student_id)
      }),
    ),
    ...pagePhotoRows.map((photo, index) =>
      createPictureFile(`pictures/page-photo ${index + 1}`, photo, () => {
        signal.throwIfAborted()
        return readPagePhoto(tx, photo.id)
      }),
    ),
    ...(logo ? [createPictureFile('pictures/school-logo', logo, async () => logo.bytes)] : []),
  ]
}

async function readPhoto(tx: Tx, studentId: string): Promise<Buffer> {
  const rows = await tx
    .select({ bytes: studentPhotos.bytes })
    .from(studentPhotos)
    .where(eq(studentPhotos.student_id, studentId))
  return firstRow(rows).bytes
}

/** Returns the photo for the export of one student, or an empty list without a photo. */
export async function readPhotoFile(tx: Tx, studentId: string): Promise<ZipEntry[]> {
  const [photo] = await tx
    .select(pick(studentPhotos, 'media_type', 'bytes'))
    .from(studentPhotos)
    .where(eq(studentPhotos.student_id, studentId))
  return photo ? [createPictureFile('photo', photo, async () => photo.bytes)] : []
}

async function readPagePhoto(tx: Tx, id: string): Promise<Buffer> {
  const rows = await tx
    .select({ bytes: pagePhotos.bytes })
    .from(pagePhotos)
    .where(eq(pagePhotos.id, id))
  return firstRow(rows).bytes
}
