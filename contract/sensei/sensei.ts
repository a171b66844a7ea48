import { z } from 'zod'
import {
  newPassword,
  PASSWORD_MIN,
  PASSWORDS_DIFFER,
  senseiEmail,
  senseiPassword,
} from '../accounts/accounts.ts'
import { cleanContactText } from '../lib/clean-text.ts'
import { US_STATES } from '../dojos/dojos.ts'
import type { Api } from '../lib/endpoint.ts'
import {
  flag,
  oneOf,
  success,
  successWithMessage,
  pageQuery,
  idParams,
  properName,
  searchText,
  singleLineText,
} from '../lib/fields.ts'

const digitText = (label: string, count: number, message: string) =>
  z
    .string({ error: `${label} is required` })
    .overwrite(cleanContactText)
    .trim()
    .min(1, `${label} is required`)
    .regex(new RegExp(`^\\d{${count}}$`), message)

const retypedPassword = z.object({ retype_password: z.string().min(1) })

export const senseiRegistration = z
  .object({
    first_name: properName('First name', 50),
    last_name: properName('Last name', 50),
    email: senseiEmail,
    contact_area_code: digitText('Area code', 3, 'Area code must be 3 digits'),
    contact_number: digitText('Phone number', 7, 'Phone number must be 7 digits'),
    password: senseiPassword,
    retype_password: z
      .string({ error: 'Retype password is required' })
      .min(1, 'Retype password is required'),
    city: properName('City'),
    state: oneOf('State', US_STATES),
    dojo_name: singleLineText('Dojo name', 100),
  })
  .refine((form) => form.password === form.retype_password, {
    error: PASSWORDS_DIFFER,
    path: ['retype_password'],
    when: ({ value }) => retypedPassword.safeParse(value).success,
  })
export type SenseiRegistration = z.output<typeof senseiRegistration>

const registrationReceipt = successWithMessage.extend({
  /** How long the activation usually takes, such as "one business day". */
  activation_time: z.string(),
  /** True if the sensei gets an email when the account is active. */
  emails_activation: z.boolean(),
})
export type RegistrationReceipt = z.output<typeof registrationReceipt>

export const SENSEI_FILTERS = ['all', 'active', 'inactive'] as const
export type SenseiFilter = (typeof SENSEI_FILTERS)[number]

const SENSEI_SORT_KEYS = ['created', 'name', 'dojo', 'place', 'students', 'status'] as const
export type SenseiSortKey = (typeof SENSEI_SORT_KEYS)[number]
export type SenseiSort = SenseiSortKey | `-${SenseiSortKey}`
export const SENSEI_SORTS = SENSEI_SORT_KEYS.flatMap((key) => [key, `-${key}`] as const) as [
  SenseiSort,
  ...SenseiSort[],
]
export const NEWEST_FIRST: SenseiSort = '-created'

/** `before` is an id. `search` looks in name, email, dojo, city and state. */
const senseiQuery = pageQuery.extend({
  search: searchText(),
  status: oneOf('Status', SENSEI_FILTERS).optional(),
  sort: oneOf('Sort', SENSEI_SORTS).optional(),
})
export type SenseiQuery = z.output<typeof senseiQuery>

export const ACTIVITY_DAYS = 30

const sensei = z.object({
  sensei_id: z.uuid(),
  full_name: z.string(),
  dojo_name: z.string().nullable(),
  contact_number: z.string().nullable(),
  email: z.string(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  total_students: z.number(),
  is_active: z.boolean(),
  created_at: z.string(),
  activity: z.object({
    /** The last day (UTC) on which the sensei was logged in. Null before the first login. */
    last_seen_on: z.string().nullable(),
    /** Texts of the dojo in the last `ACTIVITY_DAYS` days, today included. */
    texts: z.number(),
  }),
})
export type Sensei = z.output<typeof sensei>

export const ENTER_NEW_PASSWORD = 'Please enter a new password'
/** `remove_second_factor` also removes passkeys, the authenticator app and recovery codes. */
export const passwordReset = z.object({
  new_password: newPassword,
  remove_second_factor: flag('Remove the second factor').optional(),
})
export type PasswordReset = z.output<typeof passwordReset>

export const PASSWORD_STRENGTHS = ['Weak', 'Moderate', 'Strong'] as const
/** A moderate password has 8 characters. A strong one also has a capital, a digit and a special
 *  character (specification, section 5). */
export function passwordStrength(password: string): (typeof PASSWORD_STRENGTHS)[number] {
  if (password.length < PASSWORD_MIN) return 'Weak'
  const requiredPatterns = [/\p{Lu}/u, /\d/, /[^\p{L}\p{N}\s]/u]
  return requiredPatterns.every((pattern) => pattern.test(password)) ? 'Strong' : 'Moderate'
}

const auditEntry = z.object({
  id: z.uuid(),
  actor: z.string(),
  action: z.string(),
  subject: z.string().nullable(),
  dojo_name: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  created_at: z.string(),
})
export type AuditEntry = z.output<typeof auditEntry>

export const senseiApi = {
  register: {
    method: 'POST',
    path: '/sensei/register',
    access: 'public',
    summary:
      'Register a dojo and its first instructor, who can sign in once a super admin has ' +
      'activated them. Returns no token',
    throttle: 'registration',
    body: senseiRegistration,
    reply: registrationReceipt,
  },
  list: {
    method: 'GET',
    path: '/super-admin/sensei',
    access: 'super-admin',
    summary:
      'The sensei, newest first by default. Without a `limit`, all of them. `before` is the ' +
      'id of the last one that was read. `contact_number` is the current phone',
    query: senseiQuery,
    reply: z.object({ sensei_list: z.array(sensei) }),
  },
  stats: {
    method: 'GET',
    path: '/super-admin/dashboard-stats',
    access: 'super-admin',
    summary: 'How many sensei there are, active and inactive',
    reply: z.object({
      total_sensei: z.number(),
      active_sensei: z.number(),
      inactive_sensei: z.number(),
    }),
  },
  toggleActive: {
    method: 'PUT',
    path: '/super-admin/sensei/:id/toggle-active',
    access: 'super-admin',
    summary: 'Activate a sensei, who gets an email if the server can send one, or deactivate them',
    params: idParams,
    reply: z.object({ is_active: z.boolean(), is_emailed: z.boolean() }),
  },
  resetPassword: {
    method: 'PUT',
    path: '/super-admin/sensei/:id/reset-password',
    access: 'super-admin',
    summary:
      'Set a sensei’s password and end their sessions. It works for one sign-in, at which they ' +
      'choose their own. `remove_second_factor` also removes passkeys and authenticator app',
    params: idParams,
    body: passwordReset,
    reply: success,
  },
  auditLog: {
    method: 'GET',
    path: '/super-admin/audit-log',
    access: 'super-admin',
    summary: 'Who did what, newest first',
    query: pageQuery,
    reply: z.array(auditEntry),
  },
} as const satisfies Api
