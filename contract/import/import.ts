import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { idParams } from '../lib/fields.ts'
import { importForm } from './import-form.ts'
import { figures, importPlan } from './import-plan.ts'

const MAX_IMPORT_BYTES = 2 * 1024 * 1024

export const UNDO_IMPORT_HOURS = 24

const doneImport = z.object({
  id: z.uuid(),
  made_at: z.string(),
  undo_until: z.string(),
  students: z.number(),
  merged: z.number(),
  guardians: z.number(),
  classes: z.number(),
})

export type DoneImport = z.output<typeof doneImport>

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
    summary:
      'What importing this sheet would do. Rows that cannot be read are reported and left out',
    maxBodyBytes: MAX_IMPORT_BYTES,
    body: importForm,
    reply: importPlan,
  },
  create: {
    method: 'POST',
    path: '/student-imports',
    access: 'instructor',
    summary: 'Import at most 2,000 rows, without those with problems. Can be undone for 24 hours',
    idempotent: true,
    maxBodyBytes: MAX_IMPORT_BYTES,
    body: importForm,
    reply: z.object({
      import: doneImport.nullable(),
      ...figures,
    }),
  },
  list: {
    method: 'GET',
    path: '/student-imports',
    access: 'instructor',
    summary: 'The imports that can still be undone, newest first',
    reply: z.array(doneImport),
  },
  undo: {
    method: 'POST',
    path: '/student-imports/:id/undo',
    access: 'instructor',
    summary: 'Undo an import. What has been used or changed since stays',
    params: idParams,
    reply: undoneImport,
  },
} as const satisfies Api
