import type { ImportDuplicate, PersonDetails } from '@tatami/contract/import/import-plan'
import type { DuplicateChoice } from '@tatami/contract/import/import-form'
import type { ImportedPerson } from '@tatami/contract/import/rows'
import { newId } from '../db/columns.ts'
import { mapInSlices } from '../lib/event-loop.ts'
import { type Identity, personFinder } from './duplicates.ts'
import { type RowFamily } from './families.ts'
import { type ToUsablePhone } from './family-questions.ts'
import { type DojoRecords, type ExistingStudent } from './dojo-records.ts'
import { type SheetRow } from './rows.ts'
import { type EmailDecisions } from './email-owners.ts'
import { type PlannedStudent } from './plan.ts'

type Families = Map<number, RowFamily>

type SheetPerson = Identity & { planned: PlannedStudent }

/** A row in `formerRows` never changes an existing student. */
export async function planStudents(
  rows: SheetRow[],
  formerRows: Pick<ReadonlySet<number>, 'has'>,
  emailDecisions: EmailDecisions,
  families: Families,
  dojo: DojoRecords,
  choices: Map<number, DuplicateChoice>,
  toUsablePhone: ToUsablePhone,
) {
  const students: PlannedStudent[] = []
  const studentById = new Map<string, PlannedStudent>()
  const sheetPeople = personFinder<SheetPerson>()
  const duplicates: ImportDuplicate[] = []
  let skippedCount = 0
  const personByRow = new Map(emailDecisions.rows.map(({ row, person }) => [row, person]))
  // If a person is in the sheet twice, the row of a current student comes first and counts.
  const sortedRows = rows.toSorted(
    (a, b) => Number(formerRows.has(a.row)) - Number(formerRows.has(b.row)),
  )
  await mapInSlices(sortedRows, ({ row, person }) => {
    const keptEmails = emailDecisions.keptEmails.get(row) ?? []
    const family = families.get(row)
    const ownEmail = family?.ownEmail ?? null
    const personWithEmail = personByRow.get(row) ?? person
    const identity = toIdentity(personWithEmail, family, keptEmails, toUsablePhone)
    const addStudent = (id: string, existingStudent: ExistingStudent | null) =>
      addToPlan({
        ...{ id, existing: existingStudent, ownEmail, keptEmails, departure: null },
        person: { ...person, email: personWithEmail.email },
        rows: [row],
        classes: [],
        guardians: [],
        withheldGuardians: [],
        payerId: null,
      })
    const existingMatch = dojo.findStudent(identity)
    const earlierMatch = existingMatch ? null : sheetPeople.find(identity)
    const match = existingMatch ?? earlierMatch
    const left_on = existingMatch?.person.student.left_on ?? null
    const isFormer = formerRows.has(row)
    const mustStayUnchanged = existingMatch !== null && (isFormer || left_on !== null)
    const choiceOrDefault =
      choices.get(row) ?? defaultChoice(mustStayUnchanged, match?.isCertain ?? false)
    const choice =
      isFormer && existingMatch && choiceOrDefault === 'update' ? 'skip' : choiceOrDefault
    if (match)
      duplicates.push({
        row,
        name: match.person.name,
        student_id: existingMatch?.person.id ?? null,
        same_as_row: earlierMatch?.person.planned.rows[0] ?? null,
        left_on,
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
    if (!match || choice !== 'update') {
      sheetPeople.add({ ...identity, planned: addStudent(newId(), null) })
      return
    }
    const earlierStudent =
      earlierMatch?.person.planned ?? (existingMatch && studentById.get(existingMatch.person.id))
    if (earlierStudent) mergeRow(earlierStudent, person, row, ownEmail, keptEmails)
    else if (existingMatch) addStudent(existingMatch.person.id, existingMatch.person)
  })
  return { students, duplicates, skippedCount }

  function addToPlan(student: PlannedStudent) {
    students.push(student)
    studentById.set(student.id, student)
    return student
  }
}

/** A former student re-enrolls only if the instructor says so. */
function defaultChoice(mustStayUnchanged: boolean, isCertain: boolean): DuplicateChoice {
  if (!isCertain) return 'add'
  return mustStayUnchanged ? 'skip' : 'update'
}

const toIdentity = (
  person: ImportedPerson,
  family: RowFamily | undefined,
  keptEmails: string[],
  toUsablePhone: ToUsablePhone,
): Identity => ({
  name: person.name,
  email: family?.ownEmail ?? null,
  familyEmails: [person.email, ...person.guardians.map(({ email }) => email), ...keptEmails].filter(
    (email) => email !== null,
  ),
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

const uniqueLines = (...notes: (string | null)[]): string | null =>
  [...new Set(notes.flatMap((note) => note?.split('\n') ?? []))].join('\n') || null

function mergeRow(
  student: PlannedStudent,
  person: ImportedPerson,
  row: number,
  ownEmail: string | null,
  keptEmails: string[],
) {
  const filledEntries = Object.entries(student.person).map(([field, value]) => [
    field,
    value ?? person[field as keyof ImportedPerson],
  ])
  student.person = {
    ...(Object.fromEntries(filledEntries) as ImportedPerson),
    classes: [...new Set([...student.person.classes, ...person.classes])],
    private_notes: uniqueLines(student.person.private_notes, person.private_notes),
  }
  student.rows.push(row)
  student.ownEmail ??= ownEmail
  student.keptEmails = [...new Set([...student.keptEmails, ...keptEmails])]
}
