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
/** Longer than anything that a student has. */
const MAX_CELL = 6000
const MAX_COLUMNS = 100
export const MAX_STATUSES = 200
/** How long an import can be undone. */
export const UNDO_IMPORT_HOURS = 24

/** What becomes of a row that seems to be somebody who is there already, in the dojo or further up in the sheet: it is left out, it fills in what
 *  is empty there, or it is somebody else. */
const DUPLICATE_CHOICES = ['update', 'skip', 'add'] as const
export type DuplicateChoice = (typeof DUPLICATE_CHOICES)[number]
/** By what two rows seem to be one person. */
const DUPLICATE_REASONS = ['name', 'email', 'phone', 'birthday'] as const
export type DuplicateReason = (typeof DUPLICATE_REASONS)[number]

const ROW = 'Row is not valid'
const TOO_MANY_ROWS = `At most ${MAX_IMPORT_ROWS.toLocaleString('en')} rows at a time`
const rowNumber = z.number({ error: ROW }).int(ROW).min(0, ROW).max(MAX_IMPORT_ROWS, ROW)

/** A sheet of students: what its columns mean, and its cells as they stand there. A cell that cannot be read is no error of the call: the
 *  reply says what is wrong with it, and its row is left out. */
const importForm = z.object({
  columns: z
    .array(oneOf('Column', IMPORT_FIELDS), 'Columns must be a list')
    .min(1, 'No column has a meaning')
    .max(MAX_COLUMNS, `At most ${MAX_COLUMNS} columns`),
  /** The headings as the sheet writes them, beside the columns: notes and reasons quote them. */
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
  /** How dates of two numbers and a year are meant. Default `month-first`. */
  date_order: emptyAsUndefined(oneOf('Date order', DATE_ORDERS)),
  /** For rows that seem to be somebody who is there already; default `update`. */
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
  /** Rows that are taken although the sheet says that they left, or although they look like a heading or a total. */
  include_rows: z
    .array(rowNumber, 'Rows must be a list')
    .max(MAX_IMPORT_ROWS, TOO_MANY_ROWS)
    .optional(),
  /**
   * What a status in the sheet means, an empty one what blanks do. Left out, what its words say; a
   * row whose status is not clear has a problem.
   */
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
  /** Which class a name in the sheet means: one of the dojo's, or, null, none; or a new one of this name. Left out, the one of that name, else a
   *  new one of its name in letters. */
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
  /**
   * Whether the sides of a question of the preview are one family, or one guardian; default no. With
   * `sides`, counted from 0, only these are, and the others stay apart.
   */
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
  /** The questions about guardians whose guardian is added; the others of them are not. */
  add_guardians: z
    .array(singleLineText('Question', 100), 'Answers must be a list')
    .max(MAX_IMPORT_ROWS, TOO_MANY_ROWS)
    .optional(),
  /** Where whoever has no class in the sheet is enrolled. */
  default_class_id: clearable(uuid('Class')),
  /** Invites whoever has an email, by email, to make a log-in. Default true. */
  invites: emptyAsUndefined(flag('Invitations')),
})
export type ImportForm = z.output<typeof importForm>

const remark = z.object({
  row: z.number(),
  field: z.enum(IMPORT_FIELDS),
  message: z.string(),
  /** The name as it is taken, where that is not what stands in the cell. */
  becomes: z.string().optional(),
  /** A birthday that is none was left empty, or a number cannot get texts. */
  kind: z.enum(REMARK_KINDS).optional(),
})
export type ImportRemark = z.output<typeof remark>

/** What is known of one of two who may be the same person. */
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
  /** Who is there already: a student of the dojo, or else a row further up. */
  name: z.string(),
  student_id: z.uuid().nullable(),
  same_as_row: z.number().nullable(),
  reasons: z.array(z.enum(DUPLICATE_REASONS)),
  choice: z.enum(DUPLICATE_CHOICES),
  row_facts: personFacts,
  other_facts: personFacts,
})
export type ImportDuplicate = z.output<typeof duplicate>

/** Rows, and people of the dojo, who share an e-mail or a parent's name while something speaks against their being one family. */
const familyQuestion = z.object({
  /** Of these very sides: another cell makes another question. */
  id: z.string(),
  /** `family`: the sides share an e-mail. `guardian`: they name a guardian of one name. */
  about: z.enum(['family', 'guardian']),
  sides: z.array(
    z.object({
      rows: z.array(z.number()),
      /** Somebody of the dojo is among them: these students, or a guardian or an instructor. */
      is_here: z.boolean(),
      students_here: z.array(z.string()),
      students: z.array(z.string()),
      guardians: z.array(z.string()),
      emails: z.array(z.string()),
      phones: z.array(z.string()),
    }),
  ),
  /** Whether at least two sides are one. */
  is_one: z.boolean(),
  /** The sides that are one, counted from 0; the others are apart. */
  joined_sides: z.array(z.number()),
})
export type FamilyQuestion = z.output<typeof familyQuestion>

/** A guardian of the sheet who may be one whom somebody has deleted. */
const guardianQuestion = z.object({
  /** Of this guardian and these students: another cell makes another question. */
  id: z.string(),
  guardian: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  students: z.array(z.string()),
  is_added: z.boolean(),
})
const studentLink = z.object({ guardian: z.string(), student: z.string(), student_id: z.uuid() })

/** Why nobody gets an address of the sheet: nobody reads it, an instructor or an office does, or too many or unclear people share it. */
const UNUSED_EMAIL_REASONS = ['placeholder', 'staff', 'office', 'crowd', 'shared'] as const
const unusedEmail = z.object({
  email: z.string(),
  reason: z.enum(UNUSED_EMAIL_REASONS),
  rows: z.number(),
})
export type UnusedEmail = z.output<typeof unusedEmail>

/**
 * What a row is that is left out unless it is ticked: somebody who left, a heading, a total, or
 * somebody who is no student, such as a parent.
 */
const LEFT_OUT_KINDS = ['left', 'heading', 'total', 'other'] as const
const leftOutRow = z.object({
  row: z.number(),
  kind: z.enum(LEFT_OUT_KINDS),
  /** In which words the sheet says so: "Cancel Date: 3/4/2020", "Type: Parent". */
  words: z.string().nullable(),
  /** It was ticked, and is taken. */
  is_included: z.boolean(),
})
export type LeftOutRow = z.output<typeof leftOutRow>

const statusInSheet = z.object({
  /** As the sheet writes it; empty for the rows whose status is blank where that is not clear. */
  status: z.string(),
  rows: z.number(),
  /** Null where that is not clear. */
  means: z.enum(STATUSES).nullable(),
})

const classInSheet = z.object({
  /** As the sheet writes it. */
  name: z.string(),
  /** Null for a new one, and for none. */
  class_id: z.uuid().nullable(),
  /** What the class is called; null for none. */
  class_name: z.string().nullable(),
  students: z.number(),
})

/** What an import does: counted, with what is wrong in which cell. */
const figures = {
  students: z.number(),
  merged: z.number(),
  /** Rows of people who left, and those that were chosen to be left out. */
  left_out: z.number(),
  rows_with_problems: z.number(),
  /** Guardians who are new. */
  guardians: z.number(),
  /** Guardians who pay for students of the sheet. */
  families: z.number(),
  /** Classes that are new. */
  classes: z.number(),
  invitations: z.number(),
  /** Phones that get no texts, because the sheet says so. */
  phones_without_texts: z.number(),
}
const importPlan = z.object({
  ...figures,
  /** False where no mail server is set, so that nobody can be invited by email. */
  can_invite: z.boolean(),
  problems: z.array(remark),
  notices: z.array(remark),
  duplicates: z.array(duplicate),
  family_questions: z.array(familyQuestion),
  guardian_questions: z.array(guardianQuestion),
  /** Guardians whom students get who are here already. */
  added_links: z.array(studentLink),
  /** Links that the sheet names and somebody has ended: they stay ended. */
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

/** Why something that an import made outlives its undoing. */
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
      'What importing this sheet of students would do, without doing it. No cell makes the call fail: what cannot be read is a problem with its row and field, and the row is left out',
    maxBodyBytes: MAX_IMPORT_BYTES,
    body: importForm,
    reply: importPlan,
  },
  create: {
    method: 'POST',
    path: '/student-imports',
    access: 'instructor',
    summary:
      'Import a sheet of students, at most 2,000 rows, all or nothing; rows with problems are left out. The same body as for the preview. Can be undone for 24 hours',
    idempotent: true,
    maxBodyBytes: MAX_IMPORT_BYTES,
    body: importForm,
    reply: z.object({
      /** Null where no row could be taken. */
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
    summary: 'Undo an import: what it made goes, unless it has been used or changed since',
    params: idParams,
    reply: undoneImport,
  },
} as const satisfies Api
