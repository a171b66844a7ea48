import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, 'faces')

/** "Tomás Alvarez" has the face tomas-alvarez.webp. */
export const fileNameOfFace = (name: string): string =>
  `${name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '-')}.webp`

/** Undefined for those whom nobody has drawn. */
export function readFace(name: string): Buffer | undefined {
  const file = join(FOLDER, fileNameOfFace(name))
  return existsSync(file) ? readFileSync(file) : undefined
}
