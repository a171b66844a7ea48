import { OWN_LOG_IN_AGE } from '@tatami/contract/guardians'
import type {
  DuplicateChoice,
  ImportDuplicate,
  ImportForm,
  ImportRemark,
} from '@tatami/contract/import'
import { type ImportedPerson, type ReadRow, readRow } from '@tatami/contract/import-rows'
import { BORN_AFTER_TODAY } from '@tatami/contract/students'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { hadBirthday } from '../families/ages.ts'
import { classesByName, type ClassOfSheet } from './class-names.ts'
import { type Identity, personFinder } from './duplicates.ts'
import { familiesOf, type RowOfFamily } from './families.ts'
import { type GuardianInPlan, resolveGuardians } from './guardians.ts'
import { type KnownDojo, type KnownStudent, knownOfDojo } from './known.ts'

/** A student that the import makes, or one that it fills in. Several rows of the sheet may be about one. */
export type PlannedStudent = {
  id: string
  /** Null for a new one. */
  known: KnownStudent | null
  person: ImportedPerson
  rows: number[]
  ownEmail: string | null
  classes: ClassOfSheet[]
  guardians: GuardianInPlan[]
}
export type Invitee = (
  | { student_id: string; guardian_id?: undefined }
  | { guardian_id: string; student_id?: undefined }
) & {
  email: string
}
export type Plan = {
  today: string
  dojo: KnownDojo
  students: PlannedStudent[]
  /** In how many rows somebody is filled in who is there already. */
  merged: number
  leftOut: number
  problems: ImportRemark[]
  notices: ImportRemark[]
  duplicates: ImportDuplicate[]
  classes: ReturnType<typeof classesByName>
  guardians: GuardianInPlan[]
  invitees: Invitee[]
}

type Row = ReadRow & { row: number }
const MAX_NEW_CLASSES = 200
const ROWS_A_TURN = 100
const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** Lets other requests in between: two thousand rows take a moment. */
async function readRows(
  { columns, rows, date_order = 'month-first' }: ImportForm,
  today: string,
): Promise<Row[]> {
  const read: Row[] = []
  for (const [row, cells] of rows.entries()) {
    if (row % ROWS_A_TURN === ROWS_A_TURN - 1) await nextTurn()
    const one = readRow(columns, cells, { order: date_order, today })
    if ((one.person.date_of_birth ?? '') > today)
      one.problems.push({ field: 'date_of_birth', message: BORN_AFTER_TODAY })
    read.push({ ...one, row })
  }
  const isNoColumnOfClasses =
    new Set(read.flatMap(({ person }) => person.classes)).size > MAX_NEW_CLASSES
  for (const { person, problems } of isNoColumnOfClasses ? read : [])
    if (person.classes.length > 0)
      problems.push({
        field: 'classes',
        message: `More than ${MAX_NEW_CLASSES} classes: does this column name classes?`,
      })
  return read
}

/** What importing the sheet would do to the dojo as the transaction sees it. Nothing is written. */
export async function planImport(
  tx: Tx,
  dojoId: string,
  form: ImportForm,
  canInvite: boolean,
): Promise<Plan> {
  const today = await todayOf(tx, dojoId)
  const rows = await readRows(form, today)
  const choices = new Map(form.choices?.map(({ row, choice }) => [row, choice]))
  const wanted = rows.filter(({ row, person }) => !isLeftOut(person, choices.get(row)))
  const taken = wanted.filter(({ problems }) => problems.length === 0)
  const families = familiesOf(taken, today)
  const dojo = await knownOfDojo(tx, dojoId, emailsOf(taken))
  const classes = classesByName(form, dojo.classes)
  const { students, duplicates } = tellApart(taken, families, dojo, choices)
  for (const student of students)
    student.classes = classes.of(student.person.classes, student.known === null)
  const guardians = resolveGuardians(students, families, dojo, today)
  const { invitees, refused } = inviteesOf(students, guardians, dojo, today)
  const isInviting = canInvite && form.invites !== false
  const notices = [
    ...taken.flatMap(remarksOf('notices')),
    ...taken.flatMap(({ row }) => families.get(row)!.notices.map((one) => ({ row, ...one }))),
  ]
  return {
    today,
    dojo,
    students,
    merged: students.reduce(
      (sum, { known, rows: about }) => sum + about.length - (known ? 0 : 1),
      0,
    ),
    leftOut: rows.length - wanted.length,
    problems: wanted.flatMap(remarksOf('problems')),
    notices: isInviting ? [...notices, ...refused] : notices,
    duplicates,
    classes,
    guardians,
    invitees: isInviting ? invitees : [],
  }
}

const remarksOf = (kind: 'problems' | 'notices') => (one: Row) =>
  one[kind].map((remark) => ({ row: one.row, ...remark }))
const isLeftOut = ({ has_left }: ImportedPerson, choice: DuplicateChoice | undefined) =>
  choice === 'skip' || (has_left && choice !== 'add')
const emailsOf = (rows: Row[]) => [
  ...new Set(
    rows.flatMap(({ person }) =>
      [person.email, ...person.guardians.map(({ email }) => email)].filter(
        (email) => email !== null,
      ),
    ),
  ),
]

type Families = Map<number, RowOfFamily>

/** Who of the sheet is new, who is there already, and which rows are about one person. */
function tellApart(
  rows: Row[],
  families: Families,
  dojo: KnownDojo,
  choices: Map<number, DuplicateChoice>,
) {
  const students: PlannedStudent[] = []
  const byId = new Map<string, PlannedStudent>()
  const inSheet = personFinder<Identity & { planned: PlannedStudent }>()
  const duplicates: ImportDuplicate[] = []
  for (const { row, person } of rows) {
    const { ownEmail } = families.get(row)!
    const identity = {
      name: person.name,
      email: ownEmail,
      phone: person.phone_number,
      date_of_birth: person.date_of_birth,
    }
    const known = dojo.findStudent(identity),
      earlier = known ? null : inSheet.find(identity)
    const found = known ?? earlier
    const choice = choices.get(row) ?? (found?.isSure ? 'update' : 'add')
    if (found)
      duplicates.push({
        row,
        name: found.same.name,
        student_id: known?.same.id ?? null,
        same_as_row: earlier?.same.planned.rows[0] ?? null,
        reasons: found.reasons,
        choice,
      })
    if (found && choice === 'update') {
      const planned = earlier?.same.planned ?? byId.get(known!.same.id)
      if (planned) addTo(planned, person, row, ownEmail)
      else
        add({
          id: known!.same.id,
          known: known!.same,
          person,
          rows: [row],
          ownEmail,
          classes: [],
          guardians: [],
        })
    } else {
      const planned = add({
        id: newId(),
        known: null,
        person,
        rows: [row],
        ownEmail,
        classes: [],
        guardians: [],
      })
      inSheet.add({ ...identity, planned })
    }
  }
  return { students, duplicates }

  function add(planned: PlannedStudent) {
    students.push(planned)
    byId.set(planned.id, planned)
    return planned
  }
}

/** What a further row about one person says beyond the first. */
function addTo(
  planned: PlannedStudent,
  person: ImportedPerson,
  row: number,
  ownEmail: string | null,
) {
  const filled = Object.entries(planned.person).map(([field, value]) => [
    field,
    value ?? person[field as keyof ImportedPerson],
  ])
  planned.person = {
    ...(Object.fromEntries(filled) as ImportedPerson),
    classes: [...new Set([...planned.person.classes, ...person.classes])],
  }
  planned.rows.push(row)
  planned.ownEmail ??= ownEmail
}

/** Who gets a log-in by invitation: whoever has an email that no log-in and no open invitation has, but no child under 13. */
function inviteesOf(
  students: PlannedStudent[],
  guardians: GuardianInPlan[],
  dojo: KnownDojo,
  today: string,
) {
  const invited = new Set(dojo.invitedEmails)
  const invitees: Invitee[] = []
  const refused: ImportRemark[] = []
  const mayInvite = (email: string, row: number | undefined, field: ImportRemark['field']) => {
    if (dojo.accountByEmail.has(email) && row !== undefined)
      refused.push({
        row,
        field,
        message: 'An account with this email exists already: no invitation',
      })
    if (dojo.accountByEmail.has(email) || invited.has(email)) return false
    invited.add(email)
    return true
  }
  for (const { id, email, isNew, isStudent, rows } of guardians)
    if (isNew && !isStudent && email !== null && mayInvite(email, rows[0], 'guardian_email'))
      invitees.push({ guardian_id: id, email })
  for (const { id, known, ownEmail, person, rows } of students) {
    const isOldEnough = hadBirthday(
      known?.date_of_birth ?? person.date_of_birth,
      OWN_LOG_IN_AGE,
      today,
      { unknown: true },
    )
    if (ownEmail === null || !isOldEnough || known?.hasLogIn || known?.isInvited) continue
    if (mayInvite(ownEmail, rows[0], 'email')) invitees.push({ student_id: id, email: ownEmail })
  }
  return { invitees, refused }
}
