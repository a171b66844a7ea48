import { z } from 'zod'
import type { Api } from './endpoint.ts'
import { oneOf, pageQuery } from './fields.ts'

/** What the audit log can be filtered by. */
export const AUDIT_KINDS = ['students', 'families', 'log_ins', 'payments', 'classes', 'belts', 'texts', 'settings', 'exports'] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]

/** Every act that the audit log records, with its kind. */
const KIND_BY_ACTION = {
  'student added': 'students',
  'student approved': 'students',
  'student changed': 'students',
  'student deleted': 'students',
  'students imported': 'students',
  'import undone': 'students',
  'student notes changed': 'students',
  'vacation changed': 'students',
  'students promoted': 'students',
  'stripes given': 'students',
  'promotions taken back': 'students',
  'contact changed by guardian': 'students',
  'guardian added': 'families',
  'guardian changed': 'families',
  'guardian deleted': 'families',
  'guardian linked': 'families',
  'guardian rights changed': 'families',
  'guardian rights ended by age': 'families',
  'guardian link ended': 'families',
  'guardian agreed to by student': 'families',
  'family made': 'families',
  'family undone': 'families',
  'family suggestion dismissed': 'families',
  'log-in invitation sent': 'log_ins',
  'log-in made by invitation': 'log_ins',
  'log-in allowed by guardian': 'log_ins',
  'student log-in closed': 'log_ins',
  'student log-in opened again': 'log_ins',
  'email changed': 'log_ins',
  'password changed': 'log_ins',
  'email and password changed': 'log_ins',
  'password chosen by link': 'log_ins',
  'account taken back': 'log_ins',
  'sensei activated': 'log_ins',
  'sensei deactivated': 'log_ins',
  'sensei password reset': 'log_ins',
  'own password chosen': 'log_ins',
  'passkey added': 'log_ins',
  'passkey removed': 'log_ins',
  'authenticator app added': 'log_ins',
  'authenticator app removed': 'log_ins',
  'recovery codes renewed': 'log_ins',
  'recovery code used': 'log_ins',
  'session ended': 'log_ins',
  'other sessions ended': 'log_ins',
  'second factor removed': 'log_ins',
  'second factor required': 'log_ins',
  'super admin recovered': 'log_ins',
  'payment marked': 'payments',
  'month reset': 'payments',
  'payments marked': 'payments',
  'payment taken': 'payments',
  'students charged': 'payments',
  'charge written off': 'payments',
  'money given back': 'payments',
  'payments taken back': 'payments',
  'sibling prices set': 'payments',
  'receipt issued': 'payments',
  'receipt sent': 'payments',
  'cash counted': 'payments',
  'payment promise noted': 'payments',
  'payment promise ended': 'payments',
  'late fee rule set': 'payments',
  'late fees charged': 'payments',
  'style added': 'belts',
  'style changed': 'belts',
  'style removed': 'belts',
  'ladder added': 'belts',
  'ladder changed': 'belts',
  'ladder removed': 'belts',
  'belts converted': 'belts',
  'class deleted': 'classes',
  'announcement sent': 'texts',
  'texts sent': 'texts',
  'texts sent again': 'texts',
  'text consent recorded': 'texts',
  'phone linked': 'texts',
  'phone unlinked': 'texts',
  'template deleted': 'texts',
  'dojo settings changed': 'settings',
  'invitation replaced': 'settings',
  'welcome texts switched': 'settings',
  'reminders switched': 'settings',
  'reply words switched': 'settings',
  'daily limit set': 'settings',
  'everything exported': 'exports',
  'student exported': 'exports',
  'student list exported': 'exports',
  'attendance exported': 'exports',
  'payments exported': 'exports',
  'bookkeeping exported': 'exports',
} as const satisfies Record<string, AuditKind>
export type AuditAction = keyof typeof KIND_BY_ACTION

const ACTIONS = Object.keys(KIND_BY_ACTION) as AuditAction[]
export const actionsOfKind = (kind: AuditKind): AuditAction[] => ACTIONS.filter((action) => KIND_BY_ACTION[action] === kind)

/** A dojo's everyday work: only its own instructors read of it, and the super admin's list does not. */
export const EVERYDAY_ACTIONS = [
  'student added',
  'student approved',
  'student changed',
  'student notes changed',
  'vacation changed',
  'students promoted',
  'stripes given',
  'promotions taken back',
  'payment marked',
  'payment promise noted',
  'payment promise ended',
  'late fees charged',
  'payments marked',
  'payment taken',
  'students charged',
  'charge written off',
  'money given back',
  'payments taken back',
  'class deleted',
  'style added',
  'style changed',
  'style removed',
  'ladder added',
  'ladder changed',
  'ladder removed',
  'belts converted',
  'announcement sent',
  'texts sent',
  'texts sent again',
  'text consent recorded',
  'template deleted',
  'dojo settings changed',
  'invitation replaced',
  'welcome texts switched',
  'reminders switched',
  'reply words switched',
  'student exported',
  'student list exported',
  'attendance exported',
  'payments exported',
  'bookkeeping exported',
  'receipt issued',
  'receipt sent',
  'cash counted',
] as const satisfies AuditAction[]

/** Who did it. A super admin is the admin team to a dojo; `system` is what happens by itself. */
export const AUDIT_ACTORS = ['instructor', 'guardian', 'student', 'admin', 'system', 'gone'] as const

const audited = z.object({
  id: z.uuid(),
  action: z.string(),
  actor_kind: z.enum(AUDIT_ACTORS),
  /** Null for the admin team, for nobody, and for somebody who has been deleted since. */
  actor: z.string().nullable(),
  /** Whom it concerned, by the name of today; null for a thing, and for somebody who has been deleted since. */
  subject: z.string().nullable(),
  /** Of which student the guardian in question is one. */
  student: z.string().nullable(),
  /** The student among these who has a page still. */
  student_id: z.uuid().nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  created_at: z.string(),
})
export type Audited = z.output<typeof audited>

const auditQuery = pageQuery.extend({ kind: oneOf('Kind', AUDIT_KINDS).optional() })
export type AuditQuery = z.output<typeof auditQuery>

export const auditApi = {
  list: {
    method: 'GET',
    path: '/audit-log',
    access: 'instructor',
    summary: "Who did what in one's own dojo, newest first",
    query: auditQuery,
    reply: z.array(audited),
  },
} as const satisfies Api
