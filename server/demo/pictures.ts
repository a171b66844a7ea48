import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { setColor, setLogo, setPhoto } from '../pictures/change-pictures.ts'

const FOLDER = import.meta.dirname
/** The green of the cedar in the logo */
const COLOR = '#2f6b4f'

/** "Tomás Alvarez" → "tomas-alvarez.webp" */
export const faceFileName = (name: string): string =>
  `${name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '-')}.webp`

const readPicture = (file: string) => readFileSync(join(FOLDER, file), 'base64')

/** Sets the student's photo. Former students have none. */
export async function setFace(
  tx: Tx,
  sensei: DojoCaller,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const file = join('faces', faceFileName(name))
  if (existsSync(join(FOLDER, file))) await setPhoto(tx, sensei, id, readPicture(file))
}

export async function setSchoolLook(tx: Tx, sensei: DojoCaller): Promise<void> {
  await setLogo(tx, sensei, readPicture('logo.jpg'))
  await setColor(tx, sensei, COLOR)
}
