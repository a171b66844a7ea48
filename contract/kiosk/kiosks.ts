import { z } from 'zod'
import { cleanContactText } from '../lib/clean-text.ts'
import type { Api } from '../lib/endpoint.ts'
import { flag, idParams, singleLineText, success } from '../lib/fields.ts'

export const LINK_MINUTES = 10
/** A link adds its code after #, which browsers do not send to the server. */
export const KIOSK_PATH = '/kiosk'

/** A PIN identifies a student, so no two students of a dojo have the same PIN. */
export const pin = z
  .string({ error: 'PIN is required' })
  // Accepts full-width digits, which Japanese keyboards type.
  .overwrite(cleanContactText)
  .regex(/^\d{4,6}$/, 'A PIN has 4 to 6 digits')

/** Whether students who are found by name must also enter their PIN */
const kioskSettings = z.object({ asks_pin: flag('Asks for the PIN') })

export const kioskForm = z.object({ name: singleLineText('Name', 40) })

const kiosk = z.object({
  id: z.uuid(),
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  /** Null after the link was used to switch on a tablet. */
  link_expires_at: z.string().nullable(),
})
export type ListedKiosk = z.output<typeof kiosk>
const kiosks = kioskSettings.extend({
  kiosks: z.array(kiosk),
  /** How many of the students have a PIN */
  with_pin: z.number(),
  students: z.number(),
})
export type Kiosks = z.output<typeof kiosks>

const newKiosk = z.object({ token: z.string(), name: z.string() })

export const pinForm = z.object({ pin })

const ownCheckIn = z.object({
  has_kiosk: z.boolean(),
  students: z.array(z.object({ student_id: z.uuid(), name: z.string(), has_pin: z.boolean() })),
})
export type OwnCheckIn = z.output<typeof ownCheckIn>
const ownCode = z.object({ code: z.string(), qr: z.string() })
export type OwnCode = z.output<typeof ownCode>

export const kiosksApi = {
  list: {
    method: 'GET',
    path: '/kiosks',
    access: 'instructor',
    right: 'kiosk',
    summary: 'The kiosks of the dojo, and whether they ask for a PIN',
    reply: kiosks,
  },
  create: {
    method: 'POST',
    path: '/kiosks',
    access: 'instructor',
    right: 'kiosk',
    summary: 'Turn this device into a kiosk',
    body: kioskForm,
    reply: newKiosk,
  },
  createLink: {
    method: 'POST',
    path: '/kiosk-links',
    access: 'instructor',
    right: 'kiosk',
    summary: `Create a link that turns a device into a kiosk, once, within ${LINK_MINUTES} minutes`,
    body: kioskForm,
    reply: z.object({ link: z.string(), qr: z.string(), expires_at: z.string() }),
  },
  switchOn: {
    method: 'POST',
    path: '/kiosk-links/switch-on',
    access: 'public',
    summary: 'Turn this device into a kiosk with a link',
    throttle: 'sign-in',
    body: z.object({ code: singleLineText('Code', 200) }),
    reply: newKiosk,
  },
  end: {
    method: 'DELETE',
    path: '/kiosks/:id',
    access: 'instructor',
    right: 'kiosk',
    summary: 'End a kiosk immediately',
    params: idParams,
    reply: success,
  },
  setSettings: {
    method: 'PUT',
    path: '/kiosk-settings',
    access: 'instructor',
    right: 'kiosk',
    summary: 'Set whether students who are found by name must also enter their PIN',
    body: kioskSettings,
    reply: kioskSettings,
  },
  showPin: {
    method: 'GET',
    path: '/students/:id/pin',
    access: 'instructor',
    right: 'kiosk',
    summary: 'Whether a student has a PIN (never the PIN itself), and whether the dojo has a kiosk',
    params: idParams,
    reply: z.object({ has_pin: z.boolean(), has_kiosk: z.boolean() }),
  },
  setPin: {
    method: 'PUT',
    path: '/students/:id/pin',
    access: 'instructor',
    right: 'kiosk',
    summary: "Set a student's PIN, 4 to 6 digits. 422 if someone else in the dojo has it",
    params: idParams,
    body: pinForm,
    reply: success,
  },
  removePin: {
    method: 'DELETE',
    path: '/students/:id/pin',
    access: 'instructor',
    right: 'kiosk',
    summary: "Remove a student's PIN, if there is one",
    params: idParams,
    reply: success,
  },
  own: {
    method: 'GET',
    path: '/my/check-in',
    access: 'member',
    right: 'own',
    summary: 'Whether the dojo has a kiosk, which students the caller checks in, and who has a PIN',
    reply: ownCheckIn,
  },
  ownCode: {
    method: 'GET',
    path: '/my/check-in/code',
    access: 'member',
    right: 'own',
    summary: "The caller's check-in code. 404 without a kiosk or a student to check in",
    reply: ownCode,
  },
  renewCode: {
    method: 'POST',
    path: '/my/check-in/code',
    access: 'member',
    right: 'own',
    summary: 'Replace the check-in code. The old one stops working',
    reply: success,
  },
  setOwnPin: {
    method: 'PUT',
    path: '/my/students/:id/pin',
    access: 'member',
    right: 'own',
    summary: 'Give the caller or their student a random PIN, which is returned only once',
    throttle: 'sign-in',
    params: idParams,
    reply: z.object({ pin: z.string() }),
  },
  removeOwnPin: {
    method: 'DELETE',
    path: '/my/students/:id/pin',
    access: 'member',
    right: 'own',
    summary: 'Remove the PIN of the caller or of their student',
    params: idParams,
    reply: success,
  },
} as const satisfies Api
