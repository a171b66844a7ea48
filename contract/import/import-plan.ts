import { z } from 'zod'
import { IMPORT_FIELDS } from './import-fields.ts'
import { REMARK_KINDS } from './row-reader.ts'
import { STATUSES } from './status.ts'
import { BELTS } from '../lib/ranks.ts'
import { DUPLICATE_CHOICES } from './import-form.ts'

const DUPLICATE_REASONS = ['name', 'email', 'phone', 'birthday'] as const
export type DuplicateReason = (typeof DUPLICATE_REASONS)[number]

const remark = z.object({
  row: z.number(),
  field: z.enum(IMPORT_FIELDS),
  message: z.string(),
  /** The imported name, if it differs from the cell. */
  becomes: z.string().optional(),
  kind: z.enum(REMARK_KINDS).optional(),
})
export type ImportRemark = z.output<typeof remark>

const personDetails = z.object({
  name: z.string(),
  date_of_birth: z.string().nullable(),
  emails: z.array(z.string()),
  phone: z.string().nullable(),
  guardians: z.array(z.string()),
  guardian_phones: z.array(z.string()),
})
export type PersonDetails = z.output<typeof personDetails>

const duplicate = z.object({
  row: z.number(),
  name: z.string(),
  student_id: z.uuid().nullable(),
  same_as_row: z.number().nullable(),
  /** The last day of a former student, who re-enrolls only if the choice is `update`. */
  left_on: z.string().nullable(),
  /** True for a row about a former student, which never changes a student of the dojo. */
  is_former: z.boolean(),
  reasons: z.array(z.enum(DUPLICATE_REASONS)),
  choice: z.enum(DUPLICATE_CHOICES),
  row_facts: personDetails,
  /** About the student or row that may be the same person. */
  other_facts: personDetails,
})
export type ImportDuplicate = z.output<typeof duplicate>

/** People who share an email or a parent's name but may not be one family. */
const familyQuestion = z.object({
  /** A hash of the sides. If one of their cells changes, the question is asked again. */
  id: z.string(),
  /** `family`: the sides share an email. `guardian`: they name guardians with the same name. */
  about: z.enum(['family', 'guardian']),
  sides: z.array(
    z.object({
      rows: z.array(z.number()),
      /** True if a person of this side is already in the dojo. */
      is_here: z.boolean(),
      students_here: z.array(z.string()),
      students: z.array(z.string()),
      guardians: z.array(z.string()),
      emails: z.array(z.string()),
      phones: z.array(z.string()),
    }),
  ),
  is_one: z.boolean(),
  /** The sides that the import treats as one. */
  joined_sides: z.array(z.number()),
})
export type FamilyQuestion = z.output<typeof familyQuestion>

const guardianQuestion = z.object({
  id: z.string(),
  guardian: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  students: z.array(z.string()),
  is_added: z.boolean(),
})

const studentLink = z.object({ guardian: z.string(), student: z.string(), student_id: z.uuid() })

const UNUSED_EMAIL_REASONS = ['placeholder', 'staff', 'office', 'crowd', 'shared'] as const

const unusedEmail = z.object({
  email: z.string(),
  reason: z.enum(UNUSED_EMAIL_REASONS),
  rows: z.number(),
})
export type UnusedEmail = z.output<typeof unusedEmail>

/** Why a row is left out unless the instructor includes it. `never` is a lead who never trained, and
 *  `other` is somebody who is not a student. */
const LEFT_OUT_KINDS = ['left', 'never', 'heading', 'total', 'other'] as const

const leftOutRow = z.object({
  row: z.number(),
  kind: z.enum(LEFT_OUT_KINDS),
  /** Quotes the cell that gives the reason: "Status: Inactive". */
  words: z.string().nullable(),
  is_included: z.boolean(),
  /** Imported as a former student. */
  is_former: z.boolean(),
  /** The last day that a former student gets if nothing in the row says when they left. */
  assumed_last_day: z.string().nullable(),
})
export type LeftOutRow = z.output<typeof leftOutRow>

const statusInSheet = z.object({
  status: z.string(),
  rows: z.number(),
  means: z.enum(STATUSES).nullable(),
})

const beltInSheet = z.object({
  belt: z.string(),
  rows: z.number(),
  is_known: z.boolean(),
  belt_level: z.enum(BELTS).nullable(),
  rank_id: z.uuid().nullable(),
})

/** Belts of the school that cannot have as many stripes as the sheet says. */
const extraStripesInSheet = z.object({
  rows: z.number(),
  /** `stripes` is the highest number in the sheet. */
  belts: z.array(z.object({ name: z.string(), stripes: z.number() })),
})

/** What new students with a balance owe or have paid ahead, in dollars. */
const balancesInSheet = z.object({
  owing_students: z.number(),
  owed: z.number(),
  students_with_credit: z.number(),
  credit: z.number(),
  /** Students whose balance repeats that of an earlier student with the same payer. */
  repeated: z.number(),
  /** Students with a debt who also owe this month's fee, unless the debt includes it. */
  debts_with_open_month: z.number(),
  /** An example from a column that may show debts or credit. Only the school knows. */
  unclear_amount: z.string().nullable(),
})

const classInSheet = z.object({
  name: z.string(),
  class_id: z.uuid().nullable(),
  class_name: z.string().nullable(),
  students: z.number(),
})

const membershipInSheet = z.object({
  name: z.string(),
  /** New students who would get the plan. */
  students: z.number(),
  plan_id: z.uuid().nullable(),
  is_new: z.boolean(),
  /** The fee that most of them pay, in dollars. A new plan gets this price. */
  fee: z.number(),
})

export const importCounts = {
  students: z.number(),
  /** How many of the new students are former students. */
  former: z.number(),
  /** Rows that complete an existing student or an earlier row. */
  merged: z.number(),
  left_out: z.number(),
  rows_with_problems: z.number(),
  guardians: z.number(),
  families: z.number(),
  classes: z.number(),
  invitations: z.number(),
  phones_without_texts: z.number(),
  /** New students with a fee whose row does not say through which month it is paid. */
  paying_students: z.number(),
  /** New students without a debt whose fee is paid through `paid_through`. */
  paid_students: z.number(),
  /** The last paid month of students whose row has none: "2026-11". */
  paid_through: z.string(),
}

export const importPlan = z.object({
  ...importCounts,
  can_invite: z.boolean(),
  problems: z.array(remark),
  notices: z.array(remark),
  duplicates: z.array(duplicate),
  family_questions: z.array(familyQuestion),
  guardian_questions: z.array(guardianQuestion),
  added_links: z.array(studentLink),
  /** Links that were ended earlier. The import does not restore them. */
  ended_links: z.array(studentLink),
  unused_emails: z.array(unusedEmail),
  left_out_rows: z.array(leftOutRow),
  statuses_in_sheet: z.array(statusInSheet),
  belts_in_sheet: z.array(beltInSheet),
  extra_stripes_in_sheet: extraStripesInSheet,
  balances_in_sheet: balancesInSheet,
  classes_in_sheet: z.array(classInSheet),
  memberships_in_sheet: z.array(membershipInSheet),
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
