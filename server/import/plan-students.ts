import type { ImportDuplicate, PersonDetails } from '@tatami/contract/import/import-plan'
import type { DuplicateChoice } from '@tatami/contract/import/import-form'
import type { ImportedPerson } from '@tatami/contract/import/rows'
import { newId } from '../db/columns.ts'
import { mapInSlices } from '../lib/event-loop.ts'
import { type Identity, createPersonFinder } from './duplicates.ts'
import { type RowFamily } from './families.ts'
import { type ToUsablePhone } from './family-questions.ts'
import { type DojoRecords, type ExistingStudent } from './dojo-records.ts'
import { type SheetRow } from './rows.ts'
import { type EmailDecisions } from './email-owners.ts'
import { type PlannedStudent } from './plan.ts'

type Families = ReadonlyMap<number, RowFamily>

type SheetPerson = Identity & { planned: PlannedStudent }

type ExistingMatch = NonNullable<ReturnType<DojoRecords['findStudent']>>

/**
 * Plans a new student for each row, or adds the row to a student whom the dojo or an earlier row
 * already has. A row in `formerRows` never changes an existing student.
 */
export async function planStudents(
  rows: SheetRow[],
  formerRows: ReadonlySet<number>,
  emailDecisions: EmailDecisions,
  families: Families,
  dojo: DojoRecords,
  choices: ReadonlyMap<number, DuplicateChoice>,
  toUsablePhone: ToUsablePhone,
) {
  const students: PlannedStudent[] = []
  const studentById = new Map<string, PlannedStudent>()
  const sheetPeople = createPersonFinder<SheetPerson>()
  const duplicates: ImportDuplicate[] = []
  let skippedCount = 0
  const personByRow = new Map(emailDecisions.rows.map(({ row, person }) => [row, person]))
  // If a person is in the sheet twice, the row of a current student comes first and counts.
  const sortedRows = rows.toSorted(
    (a, b) => Number(formerRows.has(a.row)) - Number(formerRows.has(b.row)),
  )
  await mapInSlices(sortedRows, planRow)
  return { students, duplicates, skippedCount }

  function planRow({ row, person }: SheetRow): void {
    const family = families.get(row)
    const personWithEmail = personByRow.get(row) ?? person
    const plannedRow: PlannedRow = {
      row,
      person,
      email: personWithEmail.email,
      ownEmail: family?.ownEmail ?? null,
      emailsForNotes: emailDecisions.emailsForNotes.get(row) ?? [],
    }
    const { emailsForNotes } = plannedRow
    const identity = toIdentity(personWithEmail, family, emailsForNotes, toUsablePhone)
    const existingMatch = dojo.findStudent(identity)
    const sheetMatch = existingMatch ? null : sheetPeople.find(identity)
    const match = existingMatch ?? sheetMatch
    const isFormer = formerRows.has(row)
    const choice = decideChoice(choices.get(row), isFormer, existingMatch, match)
    if (match)
      duplicates.push({
        row,
        name: match.person.name,
        student_id: existingMatch?.person.id ?? null,
        same_as_row: sheetMatch?.person.planned.rows[0] ?? null,
        left_on: existingMatch?.person.student.left_on ?? null,
        is_former: isFormer && existingMatch !== null,
        reasons: match.reasons,
        choice,
        row_facts: toPersonDetails(identity),
        other_facts: toPersonDetails(match.person),
      })
    if (choice === 'skip') {
      skippedCount += 1
      return
    }
    if (!match || choice === 'add') {
      const newStudent = addStudent(newId(), null, plannedRow)
      sheetPeople.add({ ...identity, planned: newStudent })
      return
    }
    const plannedStudent =
      sheetMatch?.person.planned ?? (existingMatch && studentById.get(existingMatch.person.id))
    if (plannedStudent) mergeRow(plannedStudent, plannedRow)
    else if (existingMatch) addStudent(existingMatch.person.id, existingMatch.person, plannedRow)
  }

  function addStudent(
    id: string,
    existing: ExistingStudent | null,
    { row, person, email, ownEmail, emailsForNotes }: PlannedRow,
  ): PlannedStudent {
    const student: PlannedStudent = {
      id,
      existing,
      person: { ...person, email },
      rows: [row],
      ownEmail,
      emailsForNotes,
      classes: [],
      guardians: [],
      withheldGuardians: [],
      payerId: null,
      departure: null,
    }
    students.push(student)
    studentById.set(id, student)
    return student
  }
}

type PlannedRow = Pick<PlannedStudent, 'person' | 'ownEmail' | 'emailsForNotes'> & {
  row: number
  /** Null if it is unclear who the email in the row belongs to. */
  email: string | null
}

function decideChoice(
  instructorsChoice: DuplicateChoice | undefined,
  isFormer: boolean,
  existingMatch: ExistingMatch | null,
  match: { isCertain: boolean } | null,
): DuplicateChoice {
  const hasLeft = existingMatch !== null && existingMatch.person.student.left_on !== null
  const mustStayUnchanged = existingMatch !== null && (isFormer || hasLeft)
  const choice = instructorsChoice ?? defaultChoice(mustStayUnchanged, match?.isCertain ?? false)
  return isFormer && existingMatch && choice === 'update' ? 'skip' : choice
}

/** A former student re-enrolls only if the instructor says so. */
function defaultChoice(mustStayUnchanged: boolean, isCertain: boolean): DuplicateChoice {
  if (!isCertain) return 'add'
  return mustStayUnchanged ? 'skip' : 'update'
}

const toIdentity = (
  person: ImportedPerson,
  family: RowFamily | undefined,
  emailsForNotes: string[],
  toUsablePhone: ToUsablePhone,
): Identity => ({
  name: person.name,
  email: family?.ownEmail ?? null,
  familyEmails: [
    person.email,
    ...person.guardians.map(({ email }) => email),
    ...emailsForNotes,
  ].filter((email) => email !== null),
  phone: person.phone_number,
  guardians: (family?.guardians ?? []).map(({ name, phone }) => ({ name, phone })),
  familyPhones: (family?.guardians ?? [])
    .map(({ phone }) => toUsablePhone(phone))
    .filter((phone) => phone !== null),
  date_of_birth: person.date_of_birth,
})

function toPersonDetails(identity: Identity): PersonDetails {
  const { name, date_of_birth, email, familyEmails, phone, guardians } = identity
  return {
    ...{ name, date_of_birth, phone },
    emails: uniqueValues([email, ...familyEmails]),
    guardians: uniqueValues(guardians.map((guardian) => guardian.name)),
    guardian_phones: uniqueValues(guardians.map((guardian) => guardian.phone)),
  }
}

const uniqueValues = (values: (string | null)[]): string[] => [
  ...new Set(values.filter((value) => value !== null)),
]

const joinUniqueLines = (...notes: (string | null)[]): string | null =>
  [...new Set(notes.flatMap((note) => note?.split('\n') ?? []))].join('\n') || null

/** Fills in what the student's earlier rows do not have. */
function mergeRow(
  student: PlannedStudent,
  { row, person, ownEmail, emailsForNotes }: PlannedRow,
): void {
  const filledEntries = Object.entries(student.person).map(([field, value]) => [
    field,
    value ?? person[field as keyof ImportedPerson],
  ])
  student.person = {
    ...(Object.fromEntries(filledEntries) as ImportedPerson),
    classes: [...new Set([...student.person.classes, ...person.classes])],
    private_notes: joinUniqueLines(student.person.private_notes, person.private_notes),
  }
  student.rows.push(row)
  student.ownEmail ??= ownEmail
  student.emailsForNotes = [...new Set([...student.emailsForNotes, ...emailsForNotes])]
}
