import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import {
  clearable,
  flag,
  idParams,
  multiLineText,
  oneOf,
  phone,
  singleLineText,
  success,
} from '../lib/fields.ts'
import { MAX_PICTURE_BODY_BYTES, newPicture } from '../pictures/pictures.ts'

/** The languages of pages for visitors. */
export const LANGUAGES = ['en', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

export const PUBLIC_PAGE_PATH = '/d'
/** The same pages without header and footer, for frames on other sites. */
export const WIDGET_PATH = '/w'
export const TRIAL_PATH = 'trial'

export const SLUG_MAX = 60
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
/** QR codes and widgets use an id in place of the name, so a name must not look like an id. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** "Cedar Park Judo" becomes "cedar-park-judo". Empty if nothing is left. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/\p{M}|['’]/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_MAX)
    .replaceAll(/^-+|-+$/g, '')

const slug = singleLineText('Address', SLUG_MAX)
  .toLowerCase()
  .min(3, 'Address must be at least 3 characters')
  .regex(SLUG, 'Address may contain letters, digits and single hyphens')
  .refine((text) => !ID.test(text), 'Address must not look like an id')

const webAddress = (label: string) =>
  singleLineText(label, 300).refine(
    (text) => /^https?:\/\/[^\s"'<>\\]+$/i.test(text) && URL.canParse(text),
    `${label} must start with https://`,
  )

/** "https://www.example.com/trial" becomes "https://www.example.com". */
const site = singleLineText('Site', 300)
  .overwrite((text) => (URL.canParse(text) ? new URL(text).origin : text))
  .regex(/^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/, 'A site must look like https://www.example.com')

const MAX_SITES = 20

const limit = (label: string, max: number) => {
  const message = `${label} must be a whole number from 1 to ${max}`
  return z.number(message).int(message).min(1, message).max(max, message)
}

export const MAX_PAGE_PHOTOS = 6

export const publicPageForm = z.object({
  is_on: flag('On'),
  slug,
  headline: clearable(singleLineText('Headline', 120)),
  about: clearable(multiLineText('About', 3000)),
  bring: clearable(multiLineText('What to bring', 1000)),
  address: clearable(singleLineText('Street address', 200)),
  map_url: clearable(webAddress('Map link')),
  phone: clearable(phone('Phone number')),
  language: oneOf('Language', LANGUAGES),
  names_instructors: flag('Names of instructors'),
  allowed_sites: z
    .array(site, { error: 'Sites must be a list' })
    .max(MAX_SITES, `At most ${MAX_SITES} sites`),
  /** How many trials one address or one contact may book in an hour. */
  bookings_per_hour: limit('Bookings per hour', 100).optional(),
  /** After so many bookings in 24 hours, the next ones wait for an instructor. */
  bookings_per_day: limit('Bookings per day', 1000).optional(),
})
export type PublicPageForm = z.output<typeof publicPageForm>

const pagePhoto = z.object({
  id: z.uuid(),
  caption: z.string(),
  address: z.string(),
  small_address: z.string(),
})
export type PagePhoto = z.output<typeof pagePhoto>

const newPhoto = z.object({
  ...newPicture.shape,
  /** The same picture in at most half the size. The page shows this one. */
  small_picture: newPicture.shape.picture,
  caption: singleLineText('What the photo shows', 120),
})

const publicPage = z.object({
  is_on: z.boolean(),
  slug: z.string(),
  headline: z.string().nullable(),
  about: z.string().nullable(),
  bring: z.string().nullable(),
  address: z.string().nullable(),
  map_url: z.string().nullable(),
  phone: z.string().nullable(),
  language: z.enum(LANGUAGES),
  names_instructors: z.boolean(),
  allowed_sites: z.array(z.string()),
  bookings_per_hour: z.number(),
  bookings_per_day: z.number(),
  photos: z.array(pagePhoto),
  /** The address of the page as visitors see it. */
  link: z.string(),
  /** A link and its QR code that work even after the address changes. Null until the first save. */
  lasting_link: z.string().nullable(),
  qr: z.string().nullable(),
})
export type PublicPage = z.output<typeof publicPage>

export const publicPageApi = {
  read: {
    method: 'GET',
    path: '/public-page',
    access: 'instructor',
    right: 'settings',
    summary: 'The page that the school shows to visitors. Before the first save, a proposal',
    reply: publicPage,
  },
  save: {
    method: 'PUT',
    path: '/public-page',
    access: 'instructor',
    right: 'settings',
    summary:
      'Change the page for visitors, or turn it on or off. Earlier addresses keep leading to ' +
      'the page. 409 if another school has the address',
    body: publicPageForm,
    reply: publicPage,
  },
  addPhoto: {
    method: 'POST',
    path: '/public-page/photos',
    access: 'instructor',
    right: 'settings',
    summary: `Add a photo to the page, up to ${MAX_PAGE_PHOTOS}. Anyone can see it`,
    maxBodyBytes: 2 * MAX_PICTURE_BODY_BYTES,
    body: newPhoto,
    reply: pagePhoto,
  },
  removePhoto: {
    method: 'DELETE',
    path: '/public-page/photos/:id',
    access: 'instructor',
    right: 'settings',
    summary: 'Remove a photo from the page. Its address stops working',
    params: idParams,
    reply: success,
  },
} as const satisfies Api
