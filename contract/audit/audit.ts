import { z } from 'zod'
import { AUDIT_KINDS } from './acts.ts'
import type { Api } from '../lib/endpoint.ts'
import { oneOf, pageQuery } from '../lib/fields.ts'

export const AUDIT_KINDS = [
  'students',
  'families',
  'log_ins',
  'payments',
  'classes',
  'belts',
  'texts',
  'settings',
  'exports',
] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]

/** Only the dojo's own instructors see it. */
const everyday = (kind: AuditKind) => ({ kind, isEveryday: true })
/** The super admin sees it, too. */
const notable = (kind: AuditKind) => ({ kind, isEveryday: false })

/** Every act that the audit log records. `web/audit/describe-act.ts` has its words. */
const AUDIT_ACTS = {
  'student added': everyday('students'),
  'student approved': everyday('students'),
  'student changed': everyday('students'),
  'student deleted': notable('students'),
  'students imported': notable('students'),
  'import undone': notable('students'),
  'student notes changed': everyday('students'),
  'vacation changed': everyday('students'),
  'students promoted': everyday('students'),
  'stripes given': everyday('students'),
  'promotions taken back': everyday('students'),
  'skill checked': everyday('students'),
  'skill unchecked': everyday('students'),
  'promotion approved': everyday('students'),
  'approval withdrawn': everyday('students'),
  'contact changed by guardian': notable('students'),
  'guardian added': notable('families'),
  'guardian changed': notable('families'),
  'guardian deleted': notable('families'),
  'guardian linked': notable('families'),
  'guardian rights changed': notable('families'),
  'guardian rights ended by age': notable('families'),
  'guardian link ended': notable('families'),
  'guardian agreed to by student': notable('families'),
  'family made': notable('families'),
  'family undone': notable('families'),
  'family suggestion dismissed': notable('families'),
  'log-in invitation sent': notable('log_ins'),
  'log-in made by invitation': notable('log_ins'),
  'log-in allowed by guardian': notable('log_ins'),
  'log-in disallowed by guardian': notable('log_ins'),
  'student log-in closed': notable('log_ins'),
  'student log-in opened again': notable('log_ins'),
  'student log-in ended': notable('log_ins'),
  'email changed': notable('log_ins'),
  'password changed': notable('log_ins'),
  'email and password changed': notable('log_ins'),
  'password chosen by link': notable('log_ins'),
  'account taken back': notable('log_ins'),
  'sensei activated': notable('log_ins'),
  'sensei deactivated': notable('log_ins'),
  'sensei password reset': notable('log_ins'),
  'own password chosen': notable('log_ins'),
  'passkey added': notable('log_ins'),
  'passkey removed': notable('log_ins'),
  'authenticator app added': notable('log_ins'),
  'authenticator app removed': notable('log_ins'),
  'recovery codes renewed': notable('log_ins'),
  'recovery code used': notable('log_ins'),
  'session ended': notable('log_ins'),
  'other sessions ended': notable('log_ins'),
  'second factor removed': notable('log_ins'),
  'second factor required': notable('log_ins'),
  'common passwords switched': notable('log_ins'),
  'super admin recovered': notable('log_ins'),
  'payment marked': everyday('payments'),
  'month reset': notable('payments'),
  'payments marked': everyday('payments'),
  'payment taken': everyday('payments'),
  'students charged': everyday('payments'),
  'charge written off': everyday('payments'),
  'money given back': everyday('payments'),
  'payments taken back': everyday('payments'),
  'sibling prices set': notable('payments'),
  'receipt issued': everyday('payments'),
  'receipt sent': everyday('payments'),
  'cash counted': everyday('payments'),
  'payment promise noted': everyday('payments'),
  'payment promise ended': everyday('payments'),
  'late fee rule set': notable('payments'),
  'late fees charged': everyday('payments'),
  'style added': everyday('belts'),
  'style changed': everyday('belts'),
  'style removed': everyday('belts'),
  'ladder added': everyday('belts'),
  'ladder changed': everyday('belts'),
  'ladder removed': everyday('belts'),
  'belts converted': everyday('belts'),
  'grading planned': everyday('belts'),
  'grading changed': everyday('belts'),
  'grading candidates changed': everyday('belts'),
  'students invited to a grading': everyday('belts'),
  'grading finished': everyday('belts'),
  'grading removed': everyday('belts'),
  'certificates printed': everyday('belts'),
  'class deleted': everyday('classes'),
  'class places set': everyday('classes'),
  'class date cancelled': everyday('classes'),
  'class date restored': everyday('classes'),
  'class date moved': everyday('classes'),
  'class date moved back': everyday('classes'),
  'class date added': everyday('classes'),
  'class date removed': everyday('classes'),
  'substitute set': everyday('classes'),
  'holiday added': everyday('classes'),
  'holiday changed': everyday('classes'),
  'holiday removed': everyday('classes'),
  'calendar address made': notable('log_ins'),
  'calendar address ended': notable('log_ins'),
  'checked in at a kiosk': everyday('classes'),
  'kiosk check-in taken back': everyday('classes'),
  'announcement sent': everyday('texts'),
  'texts sent': everyday('texts'),
  'texts sent again': everyday('texts'),
  'text consent recorded': everyday('texts'),
  'end of texts undone': everyday('texts'),
  'phone linked': notable('texts'),
  'phone unlinked': notable('texts'),
  'template deleted': everyday('texts'),
  'kiosk switched on': notable('settings'),
  'kiosk link made': notable('settings'),
  'kiosk ended': notable('settings'),
  'kiosk settings changed': notable('settings'),
  'check-in PIN changed': everyday('students'),
  'check-in code renewed': everyday('log_ins'),
  'dojo settings changed': everyday('settings'),
  'invitation replaced': everyday('settings'),
  'welcome texts switched': everyday('settings'),
  'reminders switched': everyday('settings'),
  'reply words switched': everyday('settings'),
  'daily limit set': notable('settings'),
  'everything exported': notable('exports'),
  'student exported': everyday('exports'),
  'student list exported': everyday('exports'),
  'attendance exported': everyday('exports'),
  'payments exported': everyday('exports'),
  'bookkeeping exported': everyday('exports'),
}
export type AuditAction = keyof typeof AUDIT_ACTS

const ACTIONS = Object.keys(AUDIT_ACTS) as AuditAction[]
export const actionsOfKind = (kind: AuditKind): AuditAction[] =>
  ACTIONS.filter((action) => AUDIT_ACTS[action].kind === kind)
export const EVERYDAY_ACTIONS = ACTIONS.filter((action) => AUDIT_ACTS[action].isEveryday)

/** To a dojo, a super admin is the admin team; `system` is an automatic act. */
const AUDIT_ACTORS = [
  'instructor',
  'guardian',
  'student',
  'kiosk',
  'admin',
  'system',
  'gone',
] as const

const auditEntry = z.object({
  id: z.uuid(),
  action: z.string(),
  actor_kind: z.enum(AUDIT_ACTORS),
  /** Null for the admin team, for `system`, and for people deleted since. */
  actor: z.string().nullable(),
  /** The subject's current name. Null for things and for people deleted since. */
  subject: z.string().nullable(),
  /** The student whose guardian is meant. */
  student: z.string().nullable(),
  student_id: z.uuid().nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  created_at: z.string(),
})
export type AuditEntry = z.output<typeof auditEntry>

const auditQuery = pageQuery.extend({ kind: oneOf('Kind', AUDIT_KINDS).optional() })
export type AuditQuery = z.output<typeof auditQuery>

export const auditApi = {
  list: {
    method: 'GET',
    path: '/audit-log',
    access: 'instructor',
    summary: "Who did what in one's own dojo, newest first",
    query: auditQuery,
    reply: z.array(auditEntry),
  },
} as const satisfies Api
