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

/** The person and the owners get a notice this many days before a certificate ends. */
export const NOTICE_DAYS = [60, 30, 7] as const
const FIRST_NOTICE_DAYS = Math.max(...NOTICE_DAYS)

export const MAX_CERTIFICATE_KINDS = 30
const MAX_MONTHS = 120

export const certificateKind = z.object({
  id: z.uuid(),
  name: z.string(),
  /** How long a certificate usually lasts. */
  months: z.number(),
  /** How often it has to be checked again before it ends. */
  recheck_months: z.number().nullable(),
})
export type CertificateKind = z.output<typeof certificateKind>

/** The kinds of a school that has not changed them. Their ids are the same in every school. */
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
  /** The last day for the next recheck, if that is before the end. */
  recheck_on: z.string().nullable(),
  note: z.string().nullable(),
  /** False if a later certificate of the same kind has replaced it. */
  is_current: z.boolean(),
})
export type StaffCertificate = z.output<typeof staffCertificate>

type Validity = Pick<StaffCertificate, 'expires_on' | 'recheck_on'>

/** The last day before somebody has to do something about a certificate. */
export const dueDay = ({ expires_on, recheck_on }: Validity): string => recheck_on ?? expires_on

export type CertificateState = 'valid' | 'ends soon' | 'expired'

export function certificateState(certificate: Validity, today: string): CertificateState {
  const due = dueDay(certificate)
  if (due < today) return 'expired'
  return due <= addDays(today, FIRST_NOTICE_DAYS) ? 'ends soon' : 'valid'
}

/** The usual last day of a certificate. Two years from May 4, 2026 end on May 4, 2028. */
export const usualEnd = ({ months }: Pick<CertificateKind, 'months'>, gotOn: string): string =>
  addMonthsToDay(gotOn, months)

/** The last day for the recheck that follows a check. Null if the certificate ends before or soon
 *  after that, because it is then renewed anyway. */
export function nextRecheck(
  { recheck_months }: Pick<CertificateKind, 'recheck_months'>,
  checkedOn: string,
  expiresOn: string,
): string | null {
  if (recheck_months === null) return null
  const recheckOn = addMonthsToDay(checkedOn, recheck_months)
  return recheckOn < addDays(expiresOn, -FIRST_NOTICE_DAYS) ? recheckOn : null
}

const NOTE_MAX = 200
const details = {
  got_on: calendarDate('Got on'),
  note: clearable(singleLineText('Note', NOTE_MAX)),
}
type Days = { got_on: string; expires_on?: string | undefined }
const endsAfterStart = ({ got_on, expires_on }: Days) =>
  expires_on === undefined || expires_on > got_on
const ENDS_TOO_EARLY = { error: 'It must end after the day they got it', path: ['expires_on'] }

export const newCertificateForm = z
  .object({
    staff_id: uuid('Person'),
    kind_id: uuid('Kind'),
    ...details,
    /** By default, after the usual time of the kind. */
    expires_on: emptyAsUndefined(calendarDate('Ends on')),
  })
  .refine(endsAfterStart, ENDS_TOO_EARLY)
export type NewCertificateForm = z.output<typeof newCertificateForm>

export const certificateForm = z
  .object({
    ...details,
    expires_on: calendarDate('Ends on'),
    recheck_on: clearable(calendarDate('Recheck by')),
  })
  .refine(endsAfterStart, ENDS_TOO_EARLY)
  .refine(({ expires_on, recheck_on }) => !recheck_on || recheck_on < expires_on, {
    error: 'The recheck must be before the end',
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
    error: 'The recheck must be before the end',
    path: ['recheck_months'],
  })
export type CertificateKindForm = z.output<typeof certificateKindForm>

const alerts = z.object({
  /** How many certificates have ended. */
  expired: z.number(),
  /** How many end in the next 30 days, by the first day of their month. */
  ending: z.array(z.object({ month: z.string(), count: z.number() })),
  /** Who teaches students under 18 today although a certificate has ended. */
  teachers: z.array(z.object({ class_id: z.uuid(), name: z.string(), kinds: z.array(z.string()) })),
})
export type CertificateAlerts = z.output<typeof alerts>

const oneCertificate = z.object({ certificate: staffCertificate })
const kindList = z.object({ kinds: z.array(certificateKind) })

export const staffCertificatesApi = {
  list: {
    method: 'GET',
    path: '/staff-certificates',
    access: 'instructor',
    right: 'staff',
    summary: 'The certificates of all staff, and the kinds of certificates of the school',
    reply: kindList.extend({ certificates: z.array(staffCertificate) }),
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
      'How many certificates have ended or end within 30 days, and who teaches students under ' +
      '18 today although one has ended',
    reply: alerts,
  },
  add: {
    method: 'POST',
    path: '/staff-certificates',
    access: 'instructor',
    right: 'staff',
    idempotent: true,
    summary: 'Add a certificate of somebody on the staff',
    body: newCertificateForm,
    reply: oneCertificate,
  },
  change: {
    method: 'PUT',
    path: '/staff-certificates/:id',
    access: 'instructor',
    right: 'staff',
    summary: 'Change the days or the note of a certificate',
    params: idParams,
    body: certificateForm,
    reply: oneCertificate,
  },
  renew: {
    method: 'POST',
    path: '/staff-certificates/:id/renew',
    access: 'instructor',
    right: 'staff',
    idempotent: true,
    summary: 'Add a certificate of the same kind that begins today and lasts the usual time',
    params: idParams,
    reply: oneCertificate,
  },
  recheck: {
    method: 'POST',
    path: '/staff-certificates/:id/recheck',
    access: 'instructor',
    right: 'staff',
    summary: 'Record that a certificate was checked again today, which moves the next recheck',
    params: idParams,
    reply: oneCertificate,
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
    reply: oneCertificate,
  },
  addKind: {
    method: 'POST',
    path: '/certificate-kinds',
    access: 'instructor',
    right: 'staff',
    idempotent: true,
    summary: 'Add a kind of certificate',
    body: certificateKindForm,
    reply: kindList,
  },
  changeKind: {
    method: 'PUT',
    path: '/certificate-kinds/:id',
    access: 'instructor',
    right: 'staff',
    summary:
      'Change the name of a kind of certificate, and the usual time of certificates that are ' +
      'added from now on',
    params: idParams,
    body: certificateKindForm,
    reply: kindList,
  },
  removeKind: {
    method: 'DELETE',
    path: '/certificate-kinds/:id',
    access: 'instructor',
    right: 'staff',
    summary: 'Offer a kind of certificate no longer. Certificates of this kind stay',
    params: idParams,
    reply: kindList,
  },
} as const satisfies Api
