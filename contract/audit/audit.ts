import { z } from 'zod'
import { AUDIT_KINDS } from './kinds.ts'
import type { Api } from '../lib/endpoint.ts'
import { studentName } from '../rights.ts'
import { oneOf, pageQuery } from '../lib/fields.ts'

/** `admin` is a super admin, `system` acts automatically, and `gone` is a deleted account. */
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
  /** Null for super admins, `system` and deleted people. */
  actor: z.string().nullable(),
  /** The subject's current name. Null for deleted people, and if the subject is not a person. */
  subject: studentName().nullable(),
  /** The student, if the subject is a guardian. */
  student: studentName().nullable(),
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
    right: 'staff',
    summary: 'List who did what in the caller’s dojo, newest first',
    query: auditQuery,
    reply: z.array(auditEntry),
  },
} as const satisfies Api
