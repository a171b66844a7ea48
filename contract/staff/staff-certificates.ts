import { z } from 'zod'
import { addDays, addMonthsToDay } from '../lib/calendar-day.ts'
import type { Api } from '../lib/endpoint.ts'
import {
  calendarDate,
  clearable,
  emptyAsUndefined,
  idParams,
  singleLineText,
  success,
  unrestrictedName,
  uuid,
} from '../lib/fields.ts'

/** How many days before a certificate ends the person and the owners are notified. */
export const NOTICE_DAYS = [60, 30, 7] as const
const EARLIEST_NOTICE_DAYS = Math.max(...NOTICE_DAYS)

export const MAX_CERTIFICATE_KINDS = 30
const MAX_MONTHS = 120

export const certificateKind = z.object({
  id: z.uuid(),
  name: z.string(),
  /** How long a certificate usually lasts. */
  months: z.number(),
  /** Months between rechecks. Null if there are none. */
  recheck_months: z.number().nullable(),
})
export type CertificateKind = z.output<typeof certificateKind>

/** The kinds that every school starts with. Their ids are the same in every school. */
export const DEFAULT_CERTIFICATE_KINDS: readonly CertificateKind[] = [
  {
    id: '00000000-0000-4000-8000-000000000001',
    name: 'SafeSport',
    months: 12,
    recheck_months: null,
  },
  {
    id: '00000000-0000-4000-8000-000000000002',
    name: 'Background check',
    months: 24,
    recheck_months: 12,
  },
  {
    id: '00000000-0000-4000-8000-000000000003',
    name: 'First aid',
    months: 24,
    recheck_months: null,
  },
  { id: '00000000-0000-4000-8000-000000000004', name: 'CPR', months: 24, recheck_months: null },
]

const staffCertificate = z.object({
  id: z.uuid(),
  staff_id: z.uuid(),
  kind: certificateKind,
  got_on: z.string(),
  /** The last day on which it is valid. */
  expires_on: z.string(),
  /** The last day for the next recheck, if that is before the certificate expires. */
  recheck_on: z.string().nullable(),
  note: z.string().nullable(),
  /** False if a later certificate of the same kind has replaced it. */
  is_current: z.boolean(),
})
export type StaffCertificate = z.output<typeof staffCertificate>

type Validity = Pick<StaffCertificate, 'expires_on' | 'recheck_on'>

/** The day by which a certificate must be rechecked or renewed. */
export const actionDay = ({ expires_on, recheck_on }: Validity): string => recheck_on ?? expires_on

export type CertificateState = 'valid' | 'ends soon' | 'expired'

export function certificateState(certificate: Validity, today: string): CertificateState {
  const deadline = actionDay(certificate)
  if (deadline < today) return 'expired'
  return deadline <= addDays(today, EARLIEST_NOTICE_DAYS) ? 'ends soon' : 'valid'
}

/** The usual last day: two years after May 4, 2026 is May 4, 2028. */
export const usualLastDay = ({ months }: Pick<CertificateKind, 'months'>, gotOn: string): string =>
  addMonthsToDay(gotOn, months)

/** The deadline for the next recheck. Null if the certificate ends before or soon after it, because
 *  then it is renewed anyway. */
export function nextRecheckDay(
  { recheck_months }: Pick<CertificateKind, 'recheck_months'>,
  checkedOn: string,
  expiresOn: string,
): string | null {
  if (recheck_months === null) return null
  const recheckOn = addMonthsToDay(checkedOn, recheck_months)
  return recheckOn < addDays(expiresOn, -EARLIEST_NOTICE_DAYS) ? recheckOn : null
}

const NOTE_MAX = 200
const certificateFields = {
  got_on: calendarDate('Received on'),
  note: clearable(singleLineText('Note', NOTE_MAX)),
}
type CertificateDays = { got_on: string; expires_on?: string | undefined }
const endsAfterStart = ({ got_on, expires_on }: CertificateDays) =>
  expires_on === undefined || expires_on > got_on
const ENDS_TOO_EARLY = { error: 'It must end after the day they got it', path: ['expires_on'] }

export const newCertificateForm = z
  .object({
    staff_id: uuid('Person'),
    kind_id: uuid('Kind'),
    ...certificateFields,
    /** By default, the usual last day for the kind. */
    expires_on: emptyAsUndefined(calendarDate('Expires on')),
  })
  .refine(endsAfterStart, ENDS_TOO_EARLY)
export type NewCertificateForm = z.output<typeof newCertificateForm>

export const certificateForm = z
  .object({
    ...certificateFields,
    expires_on: calendarDate('Expires on'),
    recheck_on: clearable(calendarDate('Recheck by')),
  })
  .refine(endsAfterStart, ENDS_TOO_EARLY)
  .refine(({ expires_on, recheck_on }) => !recheck_on || recheck_on < expires_on, {
    error: 'The recheck must be before the certificate expires',
    path: ['recheck_on'],
  })
export type CertificateForm = z.output<typeof certificateForm>

const MONTHS_ERROR = `Months must be a whole number from 1 to ${MAX_MONTHS}`
const monthCount = z
  .number(MONTHS_ERROR)
  .int(MONTHS_ERROR)
  .min(1, MONTHS_ERROR)
  .max(MAX_MONTHS, MONTHS_ERROR)

export const certificateKindForm = z
  .object({
    name: unrestrictedName('Name', 60),
    months: monthCount,
    recheck_months: emptyAsUndefined(monthCount),
  })
  .refine(({ months, recheck_months }) => !recheck_months || recheck_months < months, {
    error: 'The recheck must be before the certificate expires',
    path: ['recheck_months'],
  })
export type CertificateKindForm = z.output<typeof certificateKindForm>

const alerts = z.object({
  /** How many certificates have expired. */
  expired: z.number(),
  /** How many end in the next 30 days, by month (its first day). */
  ending: z.array(z.object({ month: z.string(), count: z.number() })),
  /** Staff who teach students under 18 today with an expired certificate. */
  teachers: z.array(z.object({ class_id: z.uuid(), name: z.string(), kinds: z.array(z.string()) })),
})
export type CertificateAlerts = z.output<typeof alerts>

const certificateReply = z.object({ certificate: staffCertificate })
const kindListReply = z.object({ kinds: z.array(certificateKind) })

export const staffCertificatesApi = {
  list: {
    method: 'GET',
    path: '/staff-certificates',
    access: 'instructor',
    right: 'staff',
    summary: 'The certificates of all staff, and the kinds of certificates of the school',
    reply: kindListReply.extend({ certificates: z.array(staffCertificate) }),
  },
  listOwn: {
    method: 'GET',
    path: '/my-certificates',
    access: 'instructor',
    right: 'own',
    summary: 'The caller’s own certificates',
    reply: z.object({ certificates: z.array(staffCertificate) }),
  },
  alerts: {
    method: 'GET',
    path: '/certificate-alerts',
    access: 'instructor',
    right: 'staff',
    summary:
      'How many certificates have expired or end within 30 days, and who teaches students under ' +
      '18 today with an expired one',
    reply: alerts,
  },
  add: {
    method: 'POST',
    path: '/staff-certificates',
    access: 'instructor',
    right: 'staff',
    idempotent: true,
    summary: 'Add a certificate for a member of the staff',
    body: newCertificateForm,
    reply: certificateReply,
  },
  change: {
    method: 'PUT',
    path: '/staff-certificates/:id',
    access: 'instructor',
    right: 'staff',
    summary: 'Change the days or the note of a certificate',
    params: idParams,
    body: certificateForm,
    reply: certificateReply,
  },
  renew: {
    method: 'POST',
    path: '/staff-certificates/:id/renew',
    access: 'instructor',
    right: 'staff',
    idempotent: true,
    summary: 'Renew a certificate: add one of the same kind that starts today',
    params: idParams,
    reply: certificateReply,
  },
  recheck: {
    method: 'POST',
    path: '/staff-certificates/:id/recheck',
    access: 'instructor',
    right: 'staff',
    summary: 'Record a recheck today, which moves the next recheck',
    params: idParams,
    reply: certificateReply,
  },
  remove: {
    method: 'DELETE',
    path: '/staff-certificates/:id',
    access: 'instructor',
    right: 'staff',
    summary: 'Remove a certificate. It can be restored for 30 days',
    params: idParams,
    reply: success,
  },
  restore: {
    method: 'POST',
    path: '/staff-certificates/:id/restore',
    access: 'instructor',
    right: 'staff',
    summary: 'Restore a removed certificate',
    params: idParams,
    reply: certificateReply,
  },
  addKind: {
    method: 'POST',
    path: '/certificate-kinds',
    access: 'instructor',
    right: 'staff',
    idempotent: true,
    summary: 'Add a kind of certificate',
    body: certificateKindForm,
    reply: kindListReply,
  },
  changeKind: {
    method: 'PUT',
    path: '/certificate-kinds/:id',
    access: 'instructor',
    right: 'staff',
    summary:
      'Change the name of a kind of certificate, and how long new certificates of this kind ' +
      'usually last',
    params: idParams,
    body: certificateKindForm,
    reply: kindListReply,
  },
  removeKind: {
    method: 'DELETE',
    path: '/certificate-kinds/:id',
    access: 'instructor',
    right: 'staff',
    summary: 'Stop offering a kind of certificate. Existing certificates are kept',
    params: idParams,
    reply: kindListReply,
  },
} as const satisfies Api
