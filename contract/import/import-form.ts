import { z } from 'zod'
import { classForm } from '../classes/classes.ts'
import { clearable, emptyAsUndefined, flag, oneOf, singleLineText, uuid } from '../lib/fields.ts'
import { cleanText } from '../lib/clean-text.ts'
import { IMPORT_FIELDS, MAX_HEADING } from './import-fields.ts'
import { DATE_ORDERS } from './dates.ts'
import { BALANCE_MEANINGS } from './history.ts'
import { STATUSES } from './status.ts'
import { BELTS } from '../lib/ranks.ts'

export const MAX_IMPORT_ROWS = 2000
const MAX_CELL = 6000
const MAX_COLUMNS = 100
export const MAX_STATUSES = 200

/** What to do with a row that looks like an existing student or an earlier row. */
export const DUPLICATE_CHOICES = ['update', 'skip', 'add'] as const
export type DuplicateChoice = (typeof DUPLICATE_CHOICES)[number]

export const MAX_BELTS = 200

/** What to do with stripes that the school's belts cannot have. */
export const EXTRA_STRIPES_CHOICES = ['add', 'notes'] as const
export type ExtraStripesChoice = (typeof EXTRA_STRIPES_CHOICES)[number]

export const INVALID_PAID_THROUGH =
  'Paid through must be a month (YYYY-MM) from last month to next year'

const INVALID_ROW = 'Row is not valid'
const TOO_MANY_ROWS = `At most ${MAX_IMPORT_ROWS.toLocaleString('en')} rows at a time`

const rowNumber = z
  .number({ error: INVALID_ROW })
  .int(INVALID_ROW)
  .min(0, INVALID_ROW)
  .max(MAX_IMPORT_ROWS, INVALID_ROW)

/** A sheet of students. A cell that cannot be read is a problem in the reply, not an error. */
export const importForm = z.object({
  columns: z
    .array(oneOf('Column', IMPORT_FIELDS), 'Columns must be a list')
    .min(1, 'Choose what at least one column means')
    .max(MAX_COLUMNS, `At most ${MAX_COLUMNS} columns`),
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
  date_order: emptyAsUndefined(oneOf('Date order', DATE_ORDERS)),
  /** What to do with duplicates. The default is `update` if the match is certain, or else `add`. */
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
  /** Rows to import even if they look like former students, headings or totals. */
  include_rows: z
    .array(rowNumber, 'Rows must be a list')
    .max(MAX_IMPORT_ROWS, TOO_MANY_ROWS)
    .optional(),
  /** Rows of people who left, to import as former students. */
  former_rows: z
    .array(rowNumber, 'Rows must be a list')
    .max(MAX_IMPORT_ROWS, TOO_MANY_ROWS)
    .optional(),
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
  /** What a belt in the sheet means: a rank of the school, one of the seven belts, or no belt. */
  belts: z
    .array(
      z.object(
        {
          belt: singleLineText('Belt', 200),
          belt_level: oneOf('Belt level', BELTS).nullable().optional(),
          rank_id: uuid('Rank').nullable().optional(),
        },
        'A belt must be an object',
      ),
      'Belts must be a list',
    )
    .max(MAX_BELTS, `At most ${MAX_BELTS} belts`)
    .optional(),
  /** What to do with more stripes than the school's belts can have: allow them on the belts, or save
   *  them in the notes. Without it, their rows are problems. */
  extra_stripes: emptyAsUndefined(oneOf('Stripes', EXTRA_STRIPES_CHOICES)),
  /** The last month that new students have paid for elsewhere. The default is this month. */
  paid_through: z
    .string(INVALID_PAID_THROUGH)
    .regex(/^20\d\d-(0[1-9]|1[0-2])$/, INVALID_PAID_THROUGH)
    .optional(),
  /** What an amount in a column such as "Balance" means. Without it, balances are left out. */
  balance_meaning: emptyAsUndefined(oneOf('Balance', BALANCE_MEANINGS)),
  /** True if siblings with the same balance each owe it. Otherwise, the family owes it once. */
  repeats_balances: emptyAsUndefined(flag('Repeated balances')),
  /** Whether debts include this month's fee if it is not paid. The default is yes. */
  debts_include_this_month: emptyAsUndefined(flag('This month’s fee')),
  /** Which class a name means: an existing one, a new one with this name, or none (null). */
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
  /** What a membership in the sheet means: one of the school's plans, a new one, or without both
   *  only a note. A membership that is left out is the plan with the same name, or else a note. */
  memberships: z
    .array(
      z.object(
        {
          name: singleLineText('Membership', 200),
          plan_id: uuid('Plan').nullable().optional(),
          is_new: emptyAsUndefined(flag('New plan')),
        },
        'A membership must be an object',
      ),
      'Memberships must be a list',
    )
    .max(200, 'At most 200 memberships')
    .optional(),
  /** Answers to `family_questions`. `is_one` is about the sides in `sides`, or else all sides. */
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
  /** The ids of the `guardian_questions` answered with yes. */
  add_guardians: z
    .array(singleLineText('Question', 100), 'Answers must be a list')
    .max(MAX_IMPORT_ROWS, TOO_MANY_ROWS)
    .optional(),
  /** The class for new students whose row names no class. */
  default_class_id: clearable(uuid('Class')),
  invites: emptyAsUndefined(flag('Invitations')),
})
export type ImportForm = z.output<typeof importForm>
