import { z } from 'zod'
import { classForm } from '../classes/classes.ts'
import type { Api } from '../lib/endpoint.ts'
import {
  clearable,
  emptyAsUndefined,
  flag,
  idParams,
  oneOf,
  singleLineText,
  uuid,
} from '../lib/fields.ts'
import { cleanText } from '../lib/clean-text.ts'
import { IMPORT_FIELDS, MAX_HEADING } from './columns.ts'
import { DATE_ORDERS } from './dates.ts'
import { REMARK_KINDS } from './row-reader.ts'
import { STATUSES } from './status.ts'

export const MAX_IMPORT_ROWS = 2000
const MAX_IMPORT_BYTES = 2 * 1024 * 1024
const MAX_CELL = 6000
const MAX_COLUMNS = 100
export const MAX_STATUSES = 200
/** How long an import can be undone. */
export const UNDO_IMPORT_HOURS = 24

/** For a row that looks like an existing student or an earlier row. */
const DUPLICATE_CHOICES = ['update', 'skip', 'add'] as const
export type DuplicateChoice = (typeof DUPLICATE_CHOICES)[number]
const DUPLICATE_REASONS = ['name', 'email', 'phone', 'birthday'] as const
export type DuplicateReason = (typeof DUPLICATE_REASONS)[number]

const ROW = 'Row is not valid'
const TOO_MANY_ROWS = `At most ${MAX_IMPORT_ROWS.toLocaleString('en')} rows at a time`
const rowNumber = z.number({ error: ROW }).int(ROW).min(0, ROW).max(MAX_IMPORT_ROWS, ROW)

/** A sheet of students. A cell that cannot be read is a problem in the reply, not an error. */
const importForm = z.object({
  columns: z
    .array(oneOf('Column', IMPORT_FIELDS), 'Columns must be a list')
    .min(1, 'No column has a meaning')
    .max(MAX_COLUMNS, `At most ${MAX_COLUMNS} columns`),
  /** As the sheet writes them. */
  headings: z
    .array(
      z
        .string('A heading must be text')
        .overwrite(cleanText)
        .max(MAX_HEADING, `A heading must be at most ${MAX_HEADING} characters`),
      'Headings must be a list',
    )
    .max(MAX_COLUMNS, `At most ${MAX_COLUMNS} columns`)
    .optional(),
  rows: z
    .array(
      z
        .array(
          z
            .string('A cell must be text')
            .max(MAX_CELL, `A cell must be at most ${MAX_CELL} characters`),
          'A row must be a list',
        )
        .max(MAX_COLUMNS, `At most ${MAX_COLUMNS} columns`),
      'Rows must be a list',
    )
    .min(1, 'The sheet has no rows')
    .max(MAX_IMPORT_ROWS, TOO_MANY_ROWS),
  /** By default `month-first`. */
  date_order: emptyAsUndefined(oneOf('Date order', DATE_ORDERS)),
  /** For duplicates; by default `update`. */
  choices: z
    .array(
      z.object(
        { row: rowNumber, choice: oneOf('Choice', DUPLICATE_CHOICES) },
        'A choice must be an object',
      ),
      'Choices must be a list',
    )
    .max(MAX_IMPORT_ROWS, TOO_MANY_ROWS)
    .optional(),
  /** Rows to import although they look like departures, headings or totals. */
  include_rows: z
    .array(rowNumber, 'Rows must be a list')
    .max(MAX_IMPORT_ROWS, TOO_MANY_ROWS)
    .optional(),
  /** What the statuses mean; an empty one is for blanks. By default, what their words say. */
  statuses: z
    .array(
      z.object(
        { status: clearable(singleLineText('Status', 200)), means: oneOf('Meaning', STATUSES) },
        'A status must be an object',
      ),
      'Statuses must be a list',
    )
    .max(MAX_STATUSES, `At most ${MAX_STATUSES} statuses`)
    .optional(),
  /** The classes behind names: an existing one, a new one of this name, or none (null). */
  classes: z
    .array(
      z.object(
        {
          name: singleLineText('Class', 200),
          class_id: uuid('Class').nullable().optional(),
          class_name: classForm.shape.class_name.optional(),
        },
        'A class must be an object',
      ),
      'Classes must be a list',
    )
    .max(200, 'At most 200 classes')
    .optional(),
  /** Whether the sides of a question are one family or guardian. With `sides`, only these are. */
  families: z
    .array(
      z.object(
        {
          id: singleLineText('Question', 100),
          is_one: flag('The answer'),
          sides: z
            .array(
              z
                .number('A side must be a number')
                .int('A side must be a whole number')
                .min(0)
                .max(50),
              'Sides must be a list',
            )
            .max(50, 'At most 50 sides')
            .optional(),
        },
        'An answer must be an object',
      ),
      'Answers must be a list',
    )
    .max(MAX_IMPORT_ROWS, TOO_MANY_ROWS)
    .optional(),
  /** The questions whose guardian is to be added. */
  add_guardians: z
    .array(singleLineText('Question', 100), 'Answers must be a list')
    .max(MAX_IMPORT_ROWS, TOO_MANY_ROWS)
    .optional(),
  /** For students without a class in the sheet. */
  default_class_id: clearable(uuid('Class')),
  /** Whether to invite by email to make a login. Default true. */
  invites: emptyAsUndefined(flag('Invitations')),
})
export type ImportForm = z.output<typeof importForm>

const remark = z.object({
  row: z.number(),
  field: z.enum(IMPORT_FIELDS),
  message: z.string(),
  /** The name as imported, if the cell has another. */
  becomes: z.string().optional(),
  /** Shown in the summary above the sheet, too. */
  kind: z.enum(REMARK_KINDS).optional(),
})
export type ImportRemark = z.output<typeof remark>

const personFacts = z.object({
  name: z.string(),
  date_of_birth: z.string().nullable(),
  emails: z.array(z.string()),
  phone: z.string().nullable(),
  guardians: z.array(z.string()),
  guardian_phones: z.array(z.string()),
})
export type PersonFacts = z.output<typeof personFacts>

const duplicate = z.object({
  row: z.number(),
  /** The existing student, or the student of an earlier row. */
  name: z.string(),
  student_id: z.uuid().nullable(),
  same_as_row: z.number().nullable(),
  reasons: z.array(z.enum(DUPLICATE_REASONS)),
  choice: z.enum(DUPLICATE_CHOICES),
  row_facts: personFacts,
  other_facts: personFacts,
})
export type ImportDuplicate = z.output<typeof duplicate>

/** People who share an email or a parent's name but may not be one family. */
const familyQuestion = z.object({
  /** A hash of the sides, so that a changed cell asks again. */
  id: z.string(),
  /** `family`: they share an email. `guardian`: they name a guardian of one name. */
  about: z.enum(['family', 'guardian']),
  sides: z.array(
    z.object({
      rows: z.array(z.number()),
      /** Whether somebody of the dojo is among them. */
      is_here: z.boolean(),
      students_here: z.array(z.string()),
      students: z.array(z.string()),
      guardians: z.array(z.string()),
      emails: z.array(z.string()),
      phones: z.array(z.string()),
    }),
  ),
  is_one: z.boolean(),
  /** The sides that are one, counted from 0. */
  joined_sides: z.array(z.number()),
})
export type FamilyQuestion = z.output<typeof familyQuestion>

/** A guardian who may be one that somebody has deleted. */
const guardianQuestion = z.object({
  /** A hash of the guardian and the students. */
  id: z.string(),
  guardian: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  students: z.array(z.string()),
  is_added: z.boolean(),
})
const studentLink = z.object({ guardian: z.string(), student: z.string(), student_id: z.uuid() })

/** Why an address is nobody's. */
const UNUSED_EMAIL_REASONS = ['placeholder', 'staff', 'office', 'crowd', 'shared'] as const
const unusedEmail = z.object({
  email: z.string(),
  reason: z.enum(UNUSED_EMAIL_REASONS),
  rows: z.number(),
})
export type UnusedEmail = z.output<typeof unusedEmail>

/** Why a row is left out unless it is ticked; `other` is somebody who is no student. */
const LEFT_OUT_KINDS = ['left', 'heading', 'total', 'other'] as const
const leftOutRow = z.object({
  row: z.number(),
  kind: z.enum(LEFT_OUT_KINDS),
  /** The words of the sheet: "Cancel Date: 3/4/2020", "Type: Parent". */
  words: z.string().nullable(),
  is_included: z.boolean(),
})
export type LeftOutRow = z.output<typeof leftOutRow>

const statusInSheet = z.object({
  /** Empty for blanks. */
  status: z.string(),
  rows: z.number(),
  /** Null if it is unclear. */
  means: z.enum(STATUSES).nullable(),
})

const classInSheet = z.object({
  name: z.string(),
  /** Null for a new class, and for none. */
  class_id: z.uuid().nullable(),
  /** Null for none. */
  class_name: z.string().nullable(),
  students: z.number(),
})

/** What an import does, in numbers. */
const figures = {
  students: z.number(),
  merged: z.number(),
  /** Rows of former students, and those that were skipped. */
  left_out: z.number(),
  rows_with_problems: z.number(),
  /** New guardians. */
  guardians: z.number(),
  /** Guardians who pay. */
  families: z.number(),
  /** New classes. */
  classes: z.number(),
  invitations: z.number(),
  /** Phones that the sheet opts out of texts. */
  phones_without_texts: z.number(),
}
const importPlan = z.object({
  ...figures,
  /** False without a mail server. */
  can_invite: z.boolean(),
  problems: z.array(remark),
  notices: z.array(remark),
  duplicates: z.array(duplicate),
  family_questions: z.array(familyQuestion),
  guardian_questions: z.array(guardianQuestion),
  /** New guardians of existing students. */
  added_links: z.array(studentLink),
  /** Links that somebody has ended stay ended. */
  ended_links: z.array(studentLink),
  unused_emails: z.array(unusedEmail),
  left_out_rows: z.array(leftOutRow),
  statuses_in_sheet: z.array(statusInSheet),
  classes_in_sheet: z.array(classInSheet),
  guardians_in_sheet: z.array(
    z.object({
      name: z.string(),
      is_new: z.boolean(),
      pays: z.boolean(),
      rows: z.array(z.number()),
    }),
  ),
})
export type ImportPlan = z.output<typeof importPlan>

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

/** Why undo keeps something that the import made. */
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
      /** Null if no row could be imported. */
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
