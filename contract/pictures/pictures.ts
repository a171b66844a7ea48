import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { clearable, idParams, success } from '../lib/fields.ts'
import { isVisibleOnWhite } from './contrast.ts'

/** The browser shrinks larger pictures before it sends them. */
export const MAX_SIDE_PIXELS = 512
export const MIN_SIDE_PIXELS = 16
export const MAX_PICTURE_BYTES = 150_000
const MAX_BASE64_LENGTH = Math.ceil(MAX_PICTURE_BYTES / 3) * 4
/** Shorter than any real picture. */
const MIN_BASE64_LENGTH = 60
/** Fits the largest picture in base64 and the rest of the body. */
export const MAX_PICTURE_BODY_BYTES = 210 * 1024

export const NOT_A_PICTURE = 'Please choose a JPEG, PNG or WebP picture'
export const NOT_A_LOGO = 'A logo must be a JPEG'
export const TOO_LARGE = 'The picture must be at most 150 kB'
export const WRONG_SIZE = `Each side must be ${MIN_SIDE_PIXELS} to ${MAX_SIDE_PIXELS} pixels`

const BASE64 = /^(?:[A-Za-z\d+/]{4})+(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/

/** A JPEG, PNG or WebP file in base64. The server removes metadata, such as the location. */
export const newPicture = z.object({
  picture: z
    .string({ error: NOT_A_PICTURE })
    .min(MIN_BASE64_LENGTH, NOT_A_PICTURE)
    .max(MAX_BASE64_LENGTH, TOO_LARGE)
    .regex(BASE64, NOT_A_PICTURE),
})

const INVALID_COLOR = 'Color is not valid'
export const TOO_LIGHT = 'This color is hard to see on white. Please choose a darker one.'

const newColor = z.object({
  /** "#1e3a8a". Null for Tatami's own color. */
  color: clearable(
    z
      .string({ error: INVALID_COLOR })
      .max(7, INVALID_COLOR)
      .regex(/^#[\da-f]{6}$/i, INVALID_COLOR)
      .toLowerCase()
      .refine(isVisibleOnWhite, TOO_LIGHT),
  ),
})

/** "/photos/….jpg". Each new picture gets a new address. */
const pictureAddress = z.string().nullable()
export const studentPhoto = { photo: pictureAddress }
export const dojoBranding = { dojo_logo: pictureAddress, dojo_color: z.string().nullable() }
const branding = z.object(dojoBranding)
export type DojoBranding = z.output<typeof branding>
/** How a school presents itself to people it invites */
export const dojoCard = {
  dojo_name: z.string(),
  ...dojoBranding,
  dojo_city: z.string().nullable(),
  dojo_state: z.string().nullable(),
}
const card = z.object(dojoCard)
export type DojoCard = z.output<typeof card>

export const picturesApi = {
  setPhoto: {
    method: 'PUT',
    path: '/students/:id/photo',
    access: 'member',
    right: 'students.edit',
    summary:
      "Set a student's photo: as an instructor, or as a guardian who may change the contacts. " +
      'The previous photo is deleted',
    maxBodyBytes: MAX_PICTURE_BODY_BYTES,
    params: idParams,
    body: newPicture,
    reply: z.object(studentPhoto),
  },
  removePhoto: {
    method: 'DELETE',
    path: '/students/:id/photo',
    access: 'member',
    right: 'students.edit',
    summary: "Delete a student's photo. Its address stops working",
    params: idParams,
    reply: success,
  },
  setLogo: {
    method: 'PUT',
    path: '/dojo/logo',
    access: 'instructor',
    right: 'settings',
    summary: "Set the dojo's logo, a JPEG. Anyone can see it",
    maxBodyBytes: MAX_PICTURE_BODY_BYTES,
    body: newPicture,
    reply: branding,
  },
  removeLogo: {
    method: 'DELETE',
    path: '/dojo/logo',
    access: 'instructor',
    right: 'settings',
    summary: "Delete the dojo's logo",
    reply: branding,
  },
  setColor: {
    method: 'PUT',
    path: '/dojo/color',
    access: 'instructor',
    right: 'settings',
    summary: "Set the dojo's color, which parents see next to the logo. 422 if it is too light",
    body: newColor,
    reply: branding,
  },
} as const satisfies Api
