import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { idParams, success, uuid } from '../lib/fields.ts'
import { guardian, guardianUpdate, newGuardian, guardianRights } from '../guardians/guardians.ts'

const guardianNotices = z.object({ total: z.number(), about_fees: z.number() })
export type GuardianNotices = z.output<typeof guardianNotices>

const guardianAndStudent = idParams.extend({ studentId: uuid('Student') })

export const guardiansApi = {
  createGuardian: {
    method: 'POST',
    path: '/guardians',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Add a guardian, with links to students',
    idempotent: true,
    body: newGuardian,
    reply: z.object({ guardian }),
  },
  updateGuardian: {
    method: 'PUT',
    path: '/guardians/:id',
    access: 'instructor',
    right: 'students.edit',
    summary: "Change a guardian's name, phone and email",
    params: idParams,
    body: guardianUpdate,
    reply: z.object({ guardian }),
  },
  removeGuardian: {
    method: 'DELETE',
    path: '/guardians/:id',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Delete a guardian with their links, and their login unless they also train or teach',
    params: idParams,
    reply: success,
  },
  link: {
    method: 'PUT',
    path: '/guardians/:id/students/:studentId',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Link a guardian to a student, or change what they may see and do',
    params: guardianAndStudent,
    body: guardianRights,
    reply: z.object({ guardian }),
  },
  notices: {
    method: 'GET',
    path: '/guardians/:id/students/:studentId/notices',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Count the notifications that a guardian would lose with the right to see the student',
    params: guardianAndStudent,
    reply: guardianNotices,
  },
  unlink: {
    method: 'DELETE',
    path: '/guardians/:id/students/:studentId',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Unlink a guardian from a student; nothing else changes',
    params: guardianAndStudent,
    reply: success,
  },
} as const satisfies Api
