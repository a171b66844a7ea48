import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import {
  calendarDate,
  clearable,
  dollars,
  flag,
  idParams,
  multiLineText,
  oneOf,
  singleLineText,
  uuid,
} from '../lib/fields.ts'
import { checkInCode } from '../kiosk/kiosk.ts'
import { LANGUAGES } from '../public-page/public-page.ts'
import { hiddenWithout, MONEY_RIGHTS, studentName } from '../rights.ts'

/** Where visitors see, move and cancel their booking. */
export const BOOKING_PATH = '/b'

/** `held` waits for an instructor, and has a place like `booked`. `waiting` waits for a place.
 *  `paying` has a place while the visitor pays. */
export const BOOKING_STATES = [
  ...(['paying', 'held', 'booked', 'waiting'] as const),
  ...(['came', 'missed', 'cancelled'] as const),
] as const
export type BookingState = (typeof BOOKING_STATES)[number]

/** `open` is not paid yet. After `expired`, nobody can pay anymore. `refund_failed` means that the
 *  school has to refund it in Stripe. */
export const TRIAL_PAYMENT_STATES = [
  ...(['open', 'expired', 'paid'] as const),
  ...(['refunding', 'refunded', 'refund_failed'] as const),
] as const

/** Stripe takes no less. */
export const MIN_TRIAL_PRICE = 0.5
export const MAX_TRIAL_PRICE = 1000
const PRICE_MESSAGE = 'Price must be between $0.50 and $1,000'

/** What people may be contacted about. Emails about their own booking need no consent. */
export const CONTACT_PURPOSES = ['service_text', 'marketing'] as const
export type ContactPurpose = (typeof CONTACT_PURPOSES)[number]

export const MAX_DAYS_AHEAD = 60
export const MAX_OFFERS = 20

const wholeNumber = (label: string, min: number, max: number) => {
  const message = `${label} must be a whole number from ${min} to ${max}`
  return z.number(message).int(message).min(min, message).max(max, message)
}

const age = (label: string) => wholeNumber(label, 1, 120).nullable()

export const trialOfferForm = z
  .object({
    name: singleLineText('Name', 60),
    is_on: flag('On'),
    class_ids: z
      .array(uuid('Class'), { error: 'Classes must be a list' })
      .min(1, 'Choose at least one class')
      .max(100, 'At most 100 classes'),
    min_age: age('First age'),
    max_age: age('Last age'),
    /** The most trials on one date. Null means no limit of its own. */
    trial_places: wholeNumber('Places', 1, 50).nullable(),
    /** True if trials take places of the class, false if they are beside them. */
    uses_class_places: flag('Places of the class'),
    days_ahead: wholeNumber('Days ahead', 1, MAX_DAYS_AHEAD),
    cutoff_minutes: wholeNumber('Minutes before the class', 0, 2880),
    visits: wholeNumber('Trials per person', 1, 10),
    /** All trials of a person are within so many days. Null means no limit. */
    within_days: wholeNumber('Days', 1, 365).nullable().optional(),
    /** Visitors give their birthday in place of their age. */
    asks_birthday: flag('Birthday').optional(),
    /** Visitors are asked to sign the documents for trials. */
    asks_signature: flag('Documents').optional(),
    /** In dollars. Null for a free trial. */
    price: dollars('Price')
      .refine((price) => MIN_TRIAL_PRICE <= price && price <= MAX_TRIAL_PRICE, PRICE_MESSAGE)
      .nullable()
      .optional(),
    confirmation: clearable(multiLineText('Confirmation', 1000)),
    sends_reminders: flag('Reminders'),
    writes_when_missed: flag('Message after a missed trial'),
  })
  .refine(({ min_age, max_age }) => min_age === null || max_age === null || min_age <= max_age, {
    error: 'The first age must not be above the last',
    path: ['max_age'],
  })
export type TrialOfferForm = z.output<typeof trialOfferForm>

const trialOffer = z.object({
  id: z.uuid(),
  name: z.string(),
  is_on: z.boolean(),
  class_ids: z.array(z.uuid()),
  min_age: z.number().nullable(),
  max_age: z.number().nullable(),
  trial_places: z.number().nullable(),
  uses_class_places: z.boolean(),
  days_ahead: z.number(),
  cutoff_minutes: z.number(),
  visits: z.number(),
  within_days: z.number().nullable(),
  asks_birthday: z.boolean(),
  asks_signature: z.boolean(),
  price: z.number().nullable(),
  confirmation: z.string().nullable(),
  sends_reminders: z.boolean(),
  writes_when_missed: z.boolean(),
})
export type TrialOffer = z.output<typeof trialOffer>

const CONTACT_RIGHT = 'students.contact'

const booking = z.object({
  id: z.uuid(),
  class_id: z.uuid(),
  class_name: z.string(),
  day: z.string(),
  time: z.string(),
  visitor_name: studentName(),
  visitor_age: z.number(),
  state: z.enum(BOOKING_STATES),
  /** The parent of a visitor under 18, or the visitor. */
  contact_name: hiddenWithout(CONTACT_RIGHT, z.string().nullable(), null),
  phone: hiddenWithout(CONTACT_RIGHT, z.string().nullable(), null),
  email: hiddenWithout(CONTACT_RIGHT, z.string().nullable(), null),
  /** "Ana Ruiz, guardian": somebody in the school has the same phone or email. */
  likely_person: hiddenWithout(CONTACT_RIGHT, z.string().nullable(), null),
  language: z.enum(LANGUAGES),
  source: z.string(),
  /** 2 for the second booking of this visitor. */
  nth_visit: z.number(),
  /** The documents for trials that nobody has signed for this visitor. */
  missing_papers: z.array(z.string()),
  /** What the visitor has paid online, in dollars. Null if nothing, and after a refund. */
  paid: hiddenWithout(MONEY_RIGHTS, z.number().nullable(), null),
  created_at: z.string(),
})
export type Booking = z.output<typeof booking>

const bookingsQuery = z
  .object({ from: calendarDate('First day'), until: calendarDate('Last day') })
  .refine(({ from, until }) => from <= until, {
    error: 'The last day must not be before the first',
    path: ['until'],
  })

const MARKS = ['came', 'missed', 'booked'] as const
const markForm = z.object({ state: oneOf('Mark', MARKS) })
export type BookingMark = (typeof MARKS)[number]

const checkInForm = z.object({ code: checkInCode })
const trialGreeting = z.object({
  first_name: z.string(),
  class_name: z.string(),
  class_time: z.string(),
  /** What the visitor still has to sign, and a QR code for the parent’s phone, as an image. */
  papers: z.object({ names: z.array(z.string()), qr: z.string() }).nullable(),
})
export type TrialGreeting = z.output<typeof trialGreeting>

export const trialsApi = {
  offers: {
    method: 'GET',
    path: '/trial-offers',
    access: 'instructor',
    right: 'settings',
    summary: 'The trials that the school offers',
    reply: z.array(trialOffer),
  },
  addOffer: {
    method: 'POST',
    path: '/trial-offers',
    access: 'instructor',
    right: 'settings',
    summary: 'Offer trials of some classes. 409 if another offer has one of them',
    idempotent: true,
    body: trialOfferForm,
    reply: trialOffer,
  },
  changeOffer: {
    method: 'PUT',
    path: '/trial-offers/:id',
    access: 'instructor',
    right: 'settings',
    summary: 'Change an offer, or turn it on or off. Booked trials stay as they are',
    params: idParams,
    body: trialOfferForm,
    reply: trialOffer,
  },
  list: {
    method: 'GET',
    path: '/trials',
    access: 'instructor',
    right: 'roll',
    summary: 'Booked trials of up to 92 days, soonest first. Canceled ones are left out',
    query: bookingsQuery,
    reply: z.array(booking),
  },
  mark: {
    method: 'PUT',
    path: '/trials/:id/mark',
    access: 'instructor',
    right: 'roll',
    summary: 'Say that a visitor came or did not come, or take that back',
    params: idParams,
    body: markForm,
    reply: booking,
  },
  approve: {
    method: 'POST',
    path: '/trials/:id/approve',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Accept a booking that waits for an instructor, and tell the visitor',
    params: idParams,
    reply: booking,
  },
  cancel: {
    method: 'POST',
    path: '/trials/:id/cancel',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Cancel a trial, and tell the visitor by email',
    params: idParams,
    reply: booking,
  },
  checkIn: {
    method: 'POST',
    path: '/kiosk/trials',
    access: 'kiosk',
    summary: 'Check in a visitor with the QR code of the booked trial. 404 unless it is today',
    body: checkInForm,
    reply: trialGreeting,
  },
} as const satisfies Api
