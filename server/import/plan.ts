import type {
  FamilyQuestion,
  ImportDuplicate,
  ImportPlan,
  ImportRemark,
  LeftOutRow,
  UnusedEmail,
} from '@tatami/contract/import/import-plan'
import type { DuplicateChoice, ImportForm } from '@tatami/contract/import/import-form'
import { findUnclearBalance } from '@tatami/contract/import/history'
import type { CellRemark, ImportedPerson } from '@tatami/contract/import/rows'
import { saysNeverTrained } from '@tatami/contract/import/status'
import { stripesPerBelt } from '@tatami/contract/import/stripes'
import type { StripeRaise } from '../belts/raise-stripes.ts'
import type { RankRow } from '../belts/styles.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { isPlaceholderPhone, MAX_SURNAMES } from '../families/names-and-contacts.ts'
import { mapInSlices, yieldToOthers } from '../lib/event-loop.ts'
import { validPhone } from '../lib/phone.ts'
import { type BeltReader, createBeltReader, listBeltsInSheet } from './belts.ts'
import { summarizeExtraStripes } from './extra-stripes.ts'
import { resolveClassNames, type SheetClass } from './class-names.ts'
import { findFamilies, type RowFamily } from './families.ts'
import { countSurnames, type FamilyAnswers, type ToUsablePhone } from './family-questions.ts'
import {
  type LinkReview,
  findStudentsWithDeletedGuardian,
  reviewLinks,
} from './former-guardians.ts'
import { groupGuardians } from './guardian-groups.ts'
import { type GuardianInPlan, resolveGuardians } from './guardians.ts'
import { type Departure, isLeavingDayUnknown, findLeavingDay } from './former-students.ts'
import { type DojoRecords, type ExistingStudent, loadDojoRecords } from './dojo-records.ts'
import { listMembershipNotices, resolveMemberships, type SheetMemberships } from './memberships.ts'
import { findOptOuts, type PhoneOptOut } from './opt-outs.ts'
import { resolvePaidThrough } from './paid-through.ts'
import { readRows, type SheetRow, listStatusesInSheet } from './rows.ts'
import { decideEmails, type EmailDecisions } from './email-owners.ts'
import { type Invitee, chooseInvitees } from './invitees.ts'
import { planStudents } from './plan-students.ts'

export type PlannedStudent = {
  id: string
  existing: ExistingStudent | null
  person: ImportedPerson
  rows: number[]
  ownEmail: string | null
  /** Emails that are only saved in the notes. */
  emailsForNotes: string[]
  classes: SheetClass[]
  guardians: GuardianInPlan[]
  /** Guardians in the sheet who are not linked to the student. */
  withheldGuardians: GuardianInPlan[]
  payerId: string | null
  /** Set for a former student. */
  departure: Departure | null
}

export type MergedStudent = PlannedStudent & { existing: ExistingStudent }

export const isMerged = (student: PlannedStudent): student is MergedStudent =>
  student.existing !== null

export type Plan = {
  today: string
  dojo: DojoRecords
  students: PlannedStudent[]
  /** How many rows are about an existing student or the student of an earlier row. */
  mergedRowCount: number
  leftOutRowCount: number
  /** Rows that are left out unless the instructor includes them. */
  leftOutRows: LeftOutRow[]
  statusesInSheet: ImportPlan['statuses_in_sheet']
  beltsInSheet: ImportPlan['belts_in_sheet']
  extraStripesInSheet: ImportPlan['extra_stripes_in_sheet']
  /** The stripes that the import adds to the school's belts. */
  stripeRaise: StripeRaise | null
  /** The last month that new students paid before the import: "2026-11". */
  paidThrough: string
  /** An example from a column that may show debts or credit. Only the instructor knows. */
  unclearBalance: string | null
  /** True if siblings with the same balance each owe it. Otherwise, the family owes it once. */
  repeatsBalances: boolean
  /** True if a debt includes this month's fee if it is not paid. */
  debtsIncludeThisMonth: boolean
  problems: ImportRemark[]
  notices: ImportRemark[]
  duplicates: ImportDuplicate[]
  familyQuestions: FamilyQuestion[]
  links: LinkReview
  unusedEmails: UnusedEmail[]
  classes: ReturnType<typeof resolveClassNames>
  memberships: SheetMemberships
  guardians: GuardianInPlan[]
  invitees: Invitee[]
  optOuts: PhoneOptOut[]
}

/** Reads the sheet, and decides what an import of it changes. Writes nothing. */
export async function planImport(
  tx: Tx,
  dojoId: string,
  form: ImportForm,
  canInvite: boolean,
): Promise<Plan> {
  const today = await todayOf(tx, dojoId)
  const beltReader = await createBeltReader(tx, form, today)
  const rows = await readRows(form, today, beltReader)
  const choices = new Map(form.choices?.map(({ row, choice }) => [row, choice]))
  const familyAnswers = new Map(form.families?.map(({ id, ...answer }) => [id, answer]))
  const rowAnswers = {
    includedRows: new Set(form.include_rows),
    formerRows: new Set(form.former_rows),
  }
  const rowsToImport = rows.filter((row) => !isLeftOut(row, choices.get(row.row), rowAnswers))
  const readableRows = rowsToImport.filter(({ problems }) => problems.length === 0)
  const dojo = await loadDojoRecords(tx, dojoId, listEmails(readableRows))
  const toUsablePhone = await createPhoneFilter(readableRows, dojo)
  const emailDecisions = await decideEmails(readableRows, dojo, familyAnswers, toUsablePhone, today)
  const families = await findFamilies(emailDecisions, today)
  const formerRows = rowsToImport.filter((row) => isFormer(row, rowAnswers))
  const departures = new Map(formerRows.map((row) => [row.row, toDeparture(row)]))
  const { students, duplicates, skippedCount } = await planStudents(
    readableRows,
    new Set(departures.keys()),
    emailDecisions,
    families,
    dojo,
    choices,
    toUsablePhone,
  )
  setDepartures(students, departures)
  const classes = await planClasses(form, dojo, students)
  const memberships = await resolveMemberships(tx, dojoId, form, students)
  const { guardians, links, questions } = await planGuardians(tx, form, {
    students,
    families,
    dojo,
    familyAnswers,
    toUsablePhone,
    today,
  })
  const { invitees, invitationNotices } = chooseInvitees(students, guardians, dojo, today)
  const sendsInvitations = canInvite && form.invites !== false
  const extraStripesInSheet = summarizeExtraStripes(rowsToImport)
  const notices = [
    ...listNotices(readableRows, emailDecisions, families),
    ...listMembershipNotices(memberships, today),
  ]
  return {
    today,
    dojo,
    students,
    mergedRowCount: countMergedRows(students),
    leftOutRowCount: rows.length - rowsToImport.length + skippedCount,
    leftOutRows: listLeftOutRows(rows, rowAnswers, today),
    statusesInSheet: await listStatusesInSheet(form, rows, today),
    beltsInSheet: listBeltsInSheet(rowsToImport, beltReader),
    extraStripesInSheet,
    stripeRaise:
      form.extra_stripes === 'add'
        ? findStripeRaise(students, beltReader, extraStripesInSheet.belts)
        : null,
    paidThrough: resolvePaidThrough(form, today),
    repeatsBalances: form.repeats_balances ?? false,
    debtsIncludeThisMonth: form.debts_include_this_month ?? true,
    unclearBalance: findUnclearBalance(form.columns, form.rows),
    problems: rowsToImport.flatMap(({ row, problems }) => addRowNumber(row, problems)),
    notices: sendsInvitations ? [...notices, ...invitationNotices] : notices,
    duplicates,
    familyQuestions: [...emailDecisions.questions, ...questions],
    links,
    unusedEmails: emailDecisions.unused,
    classes,
    memberships,
    guardians,
    invitees: sendsInvitations ? invitees : [],
    optOuts: findOptOuts(students, rows),
  }
}

function countMergedRows(students: readonly PlannedStudent[]): number {
  // The first row of a new student is not merged with anything.
  const counts = students.map(({ rows, existing }) => (existing ? rows.length : rows.length - 1))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Returns null if no new student has more stripes than their rank can have. */
function findStripeRaise(
  students: PlannedStudent[],
  { findRank }: BeltReader,
  beltsWithExtraStripes: ImportPlan['extra_stripes_in_sheet']['belts'],
): StripeRaise | null {
  const raises: { rank: RankRow; stripes: number }[] = []
  for (const student of students) {
    const rank = findRank(student.person)
    const stripes = student.person.stripes ?? 0
    if (rank && !isMerged(student) && stripes > rank.stripes) raises.push({ rank, stripes })
  }
  if (raises.length === 0) return null
  return {
    ladderIds: [...new Set(raises.map(({ rank }) => rank.ladder_id))],
    stripes: stripesPerBelt([...beltsWithExtraStripes, ...raises]),
  }
}

async function planClasses(form: ImportForm, dojo: DojoRecords, students: PlannedStudent[]) {
  const names = new Set(students.flatMap(({ person }) => person.classes))
  const classes = resolveClassNames(form, dojo.classes, names)
  await mapInSlices(students, (student) => {
    student.classes = classes.countStudent(student.person.classes, { isNew: !isMerged(student) })
  })
  return classes
}

type PlannedFamilies = {
  students: PlannedStudent[]
  families: Map<number, RowFamily>
  dojo: DojoRecords
  familyAnswers: FamilyAnswers
  toUsablePhone: ToUsablePhone
  today: string
}

async function planGuardians(
  tx: Tx,
  form: ImportForm,
  { students, families, dojo, familyAnswers, toUsablePhone, today }: PlannedFamilies,
) {
  const studentByRow = new Map(
    students.flatMap((student) => student.rows.map((row) => [row, student] as const)),
  )
  const { groupByMention, questions } = await groupGuardians(
    families,
    studentByRow,
    dojo,
    familyAnswers,
    toUsablePhone,
    today,
  )
  await yieldToOthers()
  const namedGuardians = resolveGuardians(
    students,
    studentByRow,
    families,
    groupByMention,
    dojo,
    today,
  )
  const existingIds = students.filter(isMerged).map(({ id }) => id)
  const studentsWithDeletedGuardian = await findStudentsWithDeletedGuardian(
    tx,
    dojo.id,
    existingIds,
  )
  const links = reviewLinks(
    students,
    dojo,
    studentsWithDeletedGuardian,
    new Set(form.add_guardians),
  )
  const guardians = namedGuardians.filter(({ rows }) => rows.length > 0)
  return { guardians, links, questions }
}

const addRowNumber = (row: number, remarks: readonly CellRemark[]): ImportRemark[] =>
  remarks.map((remark) => ({ row, ...remark }))

const listNotices = (
  rows: SheetRow[],
  emailDecisions: EmailDecisions,
  families: ReadonlyMap<number, RowFamily>,
): ImportRemark[] => [
  ...rows.flatMap(({ row, notices }) => addRowNumber(row, notices)),
  ...emailDecisions.notices.map(({ row, remark }) => ({ row, ...remark })),
  ...[...families].flatMap(([row, family]) => addRowNumber(row, family.notices)),
]

/** Accepts phones that identify a family: valid, not an instructor's, and shared by few surnames.
 *  */
async function createPhoneFilter(rows: SheetRow[], dojo: DojoRecords): Promise<ToUsablePhone> {
  const namesByPhone = new Map<string, string[]>()
  await mapInSlices(rows, ({ person }) => {
    const typedPhones = [
      person.phone_number,
      person.emergency_contact_phone,
      ...person.guardians.map(({ phone }) => phone),
    ]
    for (const phone of new Set(typedPhones.map(validPhone))) {
      if (phone === null) continue
      const names = namesByPhone.get(phone) ?? []
      namesByPhone.set(phone, [...names, person.name])
    }
  })
  const widelySharedPhones = new Set<string>()
  await mapInSlices([...namesByPhone], ([phone, names]) => {
    if (countSurnames(names) > MAX_SURNAMES) widelySharedPhones.add(phone)
  })
  return (typedPhone) => {
    const phone = validPhone(typedPhone)
    if (phone === null || isPlaceholderPhone(phone)) return null
    return widelySharedPhones.has(phone) || dojo.instructorPhones.has(phone) ? null : phone
  }
}

/** True for people who left, people who are not students, and headings and totals. */
const isLeftOutByDefault = ({ departure, otherRole, section }: SheetRow) =>
  departure !== null || otherRole !== null || section !== null

/** Row number of a former student → when and why they left, according to the sheet. */
type Departures = ReadonlyMap<number, Departure | null>

type RowAnswers = { includedRows: ReadonlySet<number>; formerRows: ReadonlySet<number> }

/** Only people who left can be former students. */
const isFormer = ({ row, departure }: SheetRow, { includedRows, formerRows }: RowAnswers) =>
  departure !== null && formerRows.has(row) && !includedRows.has(row)

const isLeftOut = (row: SheetRow, choice: DuplicateChoice | undefined, answers: RowAnswers) =>
  choice === 'skip' ||
  (isLeftOutByDefault(row) && !answers.includedRows.has(row.row) && !isFormer(row, answers))

const listLeftOutRows = (rows: SheetRow[], answers: RowAnswers, today: string): LeftOutRow[] =>
  rows.filter(isLeftOutByDefault).map((sheetRow) => {
    const { row, person, section, departure, otherRole, leftOn } = sheetRow
    return {
      row,
      kind: section ?? findLeftOutKind(departure, otherRole),
      words: departure ?? otherRole,
      is_included: answers.includedRows.has(row),
      is_former: isFormer(sheetRow, answers),
      assumed_last_day:
        departure !== null && isLeavingDayUnknown(leftOn, person, today)
          ? findLeavingDay(leftOn, person, today)
          : null,
    }
  })

function findLeftOutKind(departure: string | null, otherRole: string | null): LeftOutRow['kind'] {
  if (departure !== null) return 'left'
  return otherRole !== null && saysNeverTrained(otherRole) ? 'never' : 'other'
}

/** A student who has another row as a current student has not left. */
function setDepartures(students: PlannedStudent[], departures: Departures): void {
  for (const student of students)
    if (student.rows.every((row) => departures.has(row)))
      student.departure = departures.get(student.rows[0] ?? -1) ?? null
}

const toDeparture = ({ departure: quote, leftOn, leftReason }: SheetRow): Departure | null =>
  quote === null ? null : { left_on: leftOn, reason: leftReason, quote }

const listEmails = (rows: SheetRow[]) => [
  ...new Set(
    rows.flatMap(({ person }) =>
      [person.email, ...person.guardians.map(({ email }) => email)].filter(
        (email) => email !== null,
      ),
    ),
  ),
]
