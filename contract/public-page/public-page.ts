import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { clearable, flag, multiLineText, oneOf, phone, singleLineText } from '../lib/fields.ts'

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
})
export type PublicPageForm = z.output<typeof publicPageForm>

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
} as const satisfies Api
