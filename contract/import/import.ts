import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { idParams } from '../lib/fields.ts'
import { importForm } from './import-form.ts'
import { importCounts, importPlan } from './import-plan.ts'

const MAX_IMPORT_BYTES = 2 * 1024 * 1024
export const UNDO_IMPORT_HOURS = 24

const storedImport = z.object({
  id: z.uuid(),
  made_at: z.string(),
  undo_until: z.string(),
  students: z.number(),
  merged: z.number(),
  guardians: z.number(),
  classes: z.number(),
})
export type StoredImport = z.output<typeof storedImport>

/** Why an undone import keeps a student, guardian or class. */
const KEPT_REASONS = ['attendance', 'payments', 'texts', 'changed', 'log_in', 'in_use'] as const
export type KeptReason = (typeof KEPT_REASONS)[number]

const keptItem = z.object({
  kind: z.enum(['student', 'guardian', 'class']),
  name: z.string(),
  reason: z.enum(KEPT_REASONS),
})

const undoneImport = z.object({
  students: z.number(),
  merged: z.number(),
  guardians: z.number(),
  classes: z.number(),
  kept: z.array(keptItem),
})
export type UndoneImport = z.output<typeof undoneImport>

export const importApi = {
  preview: {
    method: 'POST',
    path: '/student-imports/preview',
    access: 'instructor',
    right: ['students.edit', 'students.contact', 'money.see'],
    summary: 'What importing this sheet would do. Rows with problems are reported and left out',
    readOnly: true,
    maxBodyBytes: MAX_IMPORT_BYTES,
    body: importForm,
    reply: importPlan,
  },
  create: {
    method: 'POST',
    path: '/student-imports',
    access: 'instructor',
    right: ['students.edit', 'students.contact', 'money.see'],
    summary: 'Import up to 2,000 rows, except those with problems. Can be undone for 24 hours',
    idempotent: true,
    maxBodyBytes: MAX_IMPORT_BYTES,
    body: importForm,
    reply: z.object({ import: storedImport.nullable(), ...importCounts }),
  },
  list: {
    method: 'GET',
    path: '/student-imports',
    access: 'instructor',
    right: ['students.edit', 'students.contact', 'money.see'],
    summary: 'The imports that can still be undone, newest first',
    reply: z.array(storedImport),
  },
  undo: {
    method: 'POST',
    path: '/student-imports/:id/undo',
    access: 'instructor',
    right: ['students.edit', 'students.contact', 'money.see'],
    summary: 'Undo an import. What has been used or changed since then stays',
    params: idParams,
    reply: undoneImport,
  },
} as const satisfies Api
