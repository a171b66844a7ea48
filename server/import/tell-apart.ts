import type { ImportDuplicate, PersonFacts } from '@tatami/contract/import/import-plan'
import type { DuplicateChoice } from '@tatami/contract/import/import-form'
import type { ImportedPerson } from '@tatami/contract/import/rows'
import { newId } from '../db/columns.ts'
import { mapInSlices } from '../lib/event-loop.ts'
import { type Identity, personFinder } from './duplicates.ts'
import { type RowOfFamily } from './families.ts'
import { type UsablePhone } from './family-questions.ts'
import { type KnownDojo, type KnownStudent } from './known.ts'
import { type SheetRow } from './rows.ts'
import { type JudgedEmails } from './shared-emails.ts'
import { type PlannedStudent } from './plan.ts'

type Families = Map<number, RowOfFamily>

type SheetPerson = Identity & { planned: PlannedStudent }

export async function tellApart(
  rows: SheetRow[],
  judgedEmails: JudgedEmails,
  families: Families,
  dojo: KnownDojo,
  choices: Map<number, DuplicateChoice>,
  usablePhone: UsablePhone,
) {
  const students: PlannedStudent[] = []
  const byId = new Map<string, PlannedStudent>()
  const inSheet = personFinder<SheetPerson>()
  const duplicates: ImportDuplicate[] = []
  const judgedPeople = new Map(judgedEmails.rows.map(({ row, person }) => [row, person]))
  await mapInSlices(rows, ({ row, person }) => {
    const keptEmails = judgedEmails.keptEmails.get(row) ?? []
    const family = families.get(row)
    const ownEmail = family?.ownEmail ?? null
    const judgedPerson = judgedPeople.get(row) ?? person
    const identity = identityOf(judgedPerson, family, keptEmails, usablePhone)
    const addStudent = (id: string, knownStudent: KnownStudent | null) =>
      add({
        ...{ id, known: knownStudent, ownEmail, keptEmails },
        person: { ...person, email: judgedPerson.email },
        rows: [row],
        classes: [],
        guardians: [],
        withheldGuardians: [],
        payerId: null,
      })
    const knownMatch = dojo.findStudent(identity)
    const earlier = knownMatch ? null : inSheet.find(identity)
    const match = knownMatch ?? earlier
    const choice = choices.get(row) ?? (match?.isSure ? 'update' : 'add')
    if (match)
      duplicates.push({
        row,
        name: match.same.name,
        student_id: knownMatch?.same.id ?? null,
        same_as_row: earlier?.same.planned.rows[0] ?? null,
        reasons: match.reasons,
        choice,
        row_facts: factsOf(identity),
        other_facts: factsOf(match.same),
      })
    if (!match || choice !== 'update') {
      inSheet.add({ ...identity, planned: addStudent(newId(), null) })
      return
    }
    const earlierStudent = earlier?.same.planned ?? (knownMatch && byId.get(knownMatch.same.id))
    if (earlierStudent) addTo(earlierStudent, person, row, ownEmail, keptEmails)
    else if (knownMatch) addStudent(knownMatch.same.id, knownMatch.same)
  })
  return { students, duplicates }

  function add(student: PlannedStudent) {
    students.push(student)
    byId.set(student.id, student)
    return student
  }
}

/** What identifies a row's person, without unusable emails and numbers. */
const identityOf = (
  person: ImportedPerson,
  family: RowOfFamily | undefined,
  keptEmails: string[],
  usablePhone: UsablePhone,
): Identity => ({
  name: person.name,
  email: family?.ownEmail ?? null,
  familyEmails: [person.email, ...person.guardians.map(({ email }) => email), ...keptEmails].filter(
    (email) => email !== null,
  ),
  phone: person.phone_number,
  guardians: (family?.guardians ?? []).map(({ name, phone }) => ({ name, phone })),
  familyPhones: (family?.guardians ?? [])
    .map(({ phone }) => usablePhone(phone))
    .filter((phone) => phone !== null),
  date_of_birth: person.date_of_birth,
})

function factsOf(identity: Identity): PersonFacts {
  const { name, date_of_birth, email, familyEmails, phone, guardians } = identity
  return {
    ...{ name, date_of_birth, phone },
    emails: valuesOf([email, ...familyEmails]),
    guardians: valuesOf(guardians.map((guardian) => guardian.name)),
    guardian_phones: valuesOf(guardians.map((guardian) => guardian.phone)),
  }
}

const valuesOf = (values: (string | null)[]): string[] => [
  ...new Set(values.filter((value) => value !== null)),
]

const linesOf = (...notes: (string | null)[]): string | null =>
  [...new Set(notes.flatMap((note) => note?.split('\n') ?? []))].join('\n') || null

function addTo(
  student: PlannedStudent,
  person: ImportedPerson,
  row: number,
  ownEmail: string | null,
  keptEmails: string[],
) {
  const filledFields = Object.entries(student.person).map(([field, value]) => [
    field,
    value ?? person[field as keyof ImportedPerson],
  ])
  student.person = {
    ...(Object.fromEntries(filledFields) as ImportedPerson),
    classes: [...new Set([...student.person.classes, ...person.classes])],
    private_notes: linesOf(student.person.private_notes, person.private_notes),
  }
  student.rows.push(row)
  student.ownEmail ??= ownEmail
  student.keptEmails = [...new Set([...student.keptEmails, ...keptEmails])]
}
