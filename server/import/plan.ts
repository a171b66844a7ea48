import { OWN_LOG_IN_AGE } from '@tatami/contract/guardians/guardians'
import type {
  DuplicateChoice,
  FamilyQuestion,
  ImportDuplicate,
  ImportForm,
  ImportPlan,
  ImportRemark,
  LeftOutRow,
  PersonFacts,
  UnusedEmail,
} from '@tatami/contract/import/import'
import type { ImportedPerson } from '@tatami/contract/import/rows'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { hadBirthday } from '../guardians/ages.ts'
import { isPlaceholderPhone, MAX_SURNAMES } from '../families/likeness.ts'
import { mapInSlices, yieldToOthers } from '../lib/event-loop.ts'
import { validPhone } from '../lib/phone.ts'
import { classesByName, type ClassOfSheet } from './class-names.ts'
import { type Identity, personFinder } from './duplicates.ts'
import { familiesOf, type RowOfFamily } from './families.ts'
import { countSurnames, type UsablePhone } from './family-questions.ts'
import { type LinkReview, studentsOfDeletedGuardians, withholdLinks } from './former-guardians.ts'
import { groupGuardians } from './guardian-groups.ts'
import { type GuardianInPlan, resolveGuardians } from './guardians.ts'
import { type KnownDojo, type KnownStudent, knownOfDojo } from './known.ts'
import { optOutsOf, type PhoneOptOut } from './opt-outs.ts'
import { readRows, type SheetRow, statusesInSheet } from './rows.ts'
import { type JudgedEmails, judgeEmails } from './shared-emails.ts'

/** A student to create or fill in. Several rows may be about one. */
export type PlannedStudent = {
  id: string
  /** Null for a new student. */
  known: KnownStudent | null
  person: ImportedPerson
  rows: number[]
  ownEmail: string | null
  /** Emails that nobody gets, for the notes. */
  keptEmails: string[]
  classes: ClassOfSheet[]
  guardians: GuardianInPlan[]
  /** Named guardians whom the student does not get. */
  withheldGuardians: GuardianInPlan[]
  /** The first guardian pays. */
  payerId: string | null
}
type Invitee = (
  | { student_id: string; guardian_id?: undefined }
  | { guardian_id: string; student_id?: undefined }
) & {
  email: string
}
export type Plan = {
  today: string
  dojo: KnownDojo
  students: PlannedStudent[]
  /** How many rows fill in existing students. */
  merged: number
  leftOut: number
  leftOutRows: LeftOutRow[]
  statuses: ImportPlan['statuses_in_sheet']
  problems: ImportRemark[]
  notices: ImportRemark[]
  duplicates: ImportDuplicate[]
  familyQuestions: FamilyQuestion[]
  links: LinkReview
  unusedEmails: UnusedEmail[]
  classes: ReturnType<typeof classesByName>
  guardians: GuardianInPlan[]
  invitees: Invitee[]
  optOuts: PhoneOptOut[]
}

/** What importing the sheet would do. Writes nothing. */
export async function planImport(
  tx: Tx,
  dojoId: string,
  form: ImportForm,
  canInvite: boolean,
): Promise<Plan> {
  const today = await todayOf(tx, dojoId)
  const rows = await readRows(form, today)
  const choices = new Map(form.choices?.map(({ row, choice }) => [row, choice]))
  const answers = new Map(form.families?.map(({ id, ...answer }) => [id, answer]))
  const includedRows = new Set(form.include_rows)
  const wantedRows = rows.filter((row) => !isLeftOut(row, choices.get(row.row), includedRows))
  const readableRows = wantedRows.filter(({ problems }) => problems.length === 0)
  const dojo = await knownOfDojo(tx, dojoId, emailsOf(readableRows))
  const usablePhone = await usablePhonesOf(readableRows, dojo)
  const judgedEmails = await judgeEmails(readableRows, dojo, answers, usablePhone, today)
  const families = await familiesOf(judgedEmails, today)
  const { students, duplicates } = await tellApart(
    readableRows,
    judgedEmails,
    families,
    dojo,
    choices,
    usablePhone,
  )
  const studentOfRow = new Map(
    students.flatMap((student) => student.rows.map((row) => [row, student] as const)),
  )
  const classNames = new Set(students.flatMap(({ person }) => person.classes))
  const classes = classesByName(form, dojo.classes, classNames)
  await mapInSlices(students, (student) => {
    student.classes = classes.of(student.person.classes, student.known === null)
  })
  const grouping = await groupGuardians(families, studentOfRow, dojo, answers, usablePhone, today)
  await yieldToOthers()
  const namedGuardians = resolveGuardians(
    students,
    studentOfRow,
    families,
    grouping.groups,
    dojo,
    today,
  )
  const knownIds = students.flatMap(({ id, known }) => (known === null ? [] : [id]))
  const studentsOfDeleted = await studentsOfDeletedGuardians(tx, dojoId, knownIds)
  const links = withholdLinks(students, dojo, studentsOfDeleted, new Set(form.add_guardians))
  const guardians = namedGuardians.filter(({ rows: ofGuardian }) => ofGuardian.length > 0)
  const { invitees, refused } = inviteesOf(students, guardians, dojo, today)
  const isInviting = canInvite && form.invites !== false
  const notices = [
    ...readableRows.flatMap(remarksOf('notices')),
    ...judgedEmails.notices.map(({ row, remark }) => ({ row, ...remark })),
    ...[...families].flatMap(([row, family]) =>
      family.notices.map((notice) => ({ row, ...notice })),
    ),
  ]
  return {
    today,
    dojo,
    students,
    merged: students.flatMap((student) => student.rows.slice(student.known ? 0 : 1)).length,
    leftOut: rows.length - wantedRows.length,
    leftOutRows: leftOutRows(rows, includedRows),
    statuses: await statusesInSheet(form, rows, today),
    problems: wantedRows.flatMap(remarksOf('problems')),
    notices: isInviting ? [...notices, ...refused] : notices,
    duplicates,
    familyQuestions: [...judgedEmails.questions, ...grouping.questions],
    links,
    unusedEmails: judgedEmails.unused,
    classes,
    guardians,
    invitees: isInviting ? invitees : [],
    optOuts: optOutsOf(students, rows),
  }
}

/** Finds numbers of one family, not those of instructors or of many surnames. */
async function usablePhonesOf(rows: SheetRow[], dojo: KnownDojo): Promise<UsablePhone> {
  const namesByPhone = new Map<string, string[]>()
  await mapInSlices(rows, ({ person }) => {
    const typedPhones = [
      person.phone_number,
      person.emergency_contact_phone,
      ...person.guardians.map(({ phone }) => phone),
    ]
    for (const phone of new Set(typedPhones.map(validPhone)))
      if (phone !== null) namesByPhone.set(phone, namesByPhone.get(phone) ?? [])
    for (const phone of new Set(typedPhones.map(validPhone)))
      if (phone !== null) namesByPhone.get(phone)?.push(person.name)
  })
  const sharedByMany = new Set<string>()
  await mapInSlices([...namesByPhone], ([phone, names]) => {
    if (countSurnames(names) > MAX_SURNAMES) sharedByMany.add(phone)
  })
  return (typedPhone) => {
    const phone = validPhone(typedPhone)
    if (phone === null || isPlaceholderPhone(phone)) return null
    return sharedByMany.has(phone) || dojo.instructorPhones.has(phone) ? null : phone
  }
}

const remarksOf = (kind: 'problems' | 'notices') => (sheetRow: SheetRow) =>
  sheetRow[kind].map((remark) => ({ row: sheetRow.row, ...remark }))
/** A row that is left out unless it is ticked. */
const isAway = ({ departure, otherRole, section }: SheetRow) =>
  departure !== null || otherRole !== null || section !== null
const isLeftOut = (
  row: SheetRow,
  choice: DuplicateChoice | undefined,
  includedRows: ReadonlySet<number>,
) => choice === 'skip' || (isAway(row) && !includedRows.has(row.row))

const leftOutRows = (rows: SheetRow[], includedRows: ReadonlySet<number>): LeftOutRow[] =>
  rows.filter(isAway).map(({ row, section, departure, otherRole }) => ({
    row,
    kind: section ?? (departure === null ? 'other' : 'left'),
    words: departure ?? otherRole,
    is_included: includedRows.has(row),
  }))
const emailsOf = (rows: SheetRow[]) => [
  ...new Set(
    rows.flatMap(({ person }) =>
      [person.email, ...person.guardians.map(({ email }) => email)].filter(
        (email) => email !== null,
      ),
    ),
  ),
]

type Families = Map<number, RowOfFamily>
type SheetPerson = Identity & { planned: PlannedStudent }

/** Decides which rows are new, existing or repeated people. */
async function tellApart(
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

/** Each value once. */
const valuesOf = (values: (string | null)[]): string[] => [
  ...new Set(values.filter((value) => value !== null)),
]

/** The lines of two notes, each once. */
const linesOf = (...notes: (string | null)[]): string | null =>
  [...new Set(notes.flatMap((note) => note?.split('\n') ?? []))].join('\n') || null

/** Adds what a further row about the person says. */
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

const NO_DATE_OF_BIRTH = `Not invited: without a date of birth they may be under ${OWN_LOG_IN_AGE}`

/**
 * Whom to invite: everybody whose email has no login or open invitation yet, unless they are or may
 * be under 13.
 */
function inviteesOf(
  students: PlannedStudent[],
  guardians: GuardianInPlan[],
  dojo: KnownDojo,
  today: string,
) {
  const invitedEmails = new Set(dojo.invitedEmails)
  const invitees: Invitee[] = []
  const refusals: ImportRemark[] = []
  const mayInvite = (email: string, row: number | undefined, field: ImportRemark['field']) => {
    if (dojo.accountByEmail.has(email) && row !== undefined)
      refusals.push({
        row,
        field,
        message: 'An account with this email exists already: no invitation',
      })
    if (dojo.accountByEmail.has(email) || invitedEmails.has(email)) return false
    invitedEmails.add(email)
    return true
  }
  for (const { id, email, isNew, isStudent, rows } of guardians)
    if (isNew && !isStudent && email !== null && mayInvite(email, rows[0], 'guardian_email'))
      invitees.push({ guardian_id: id, email })
  for (const { id, known, ownEmail, person, guardians: ownGuardians, rows } of students) {
    if (ownEmail === null || known?.hasLogIn || known?.isInvited) continue
    const dateOfBirth = known?.date_of_birth ?? person.date_of_birth
    if (!hadBirthday(dateOfBirth, OWN_LOG_IN_AGE, today, { unknown: true })) continue
    const hasGuardian = ownGuardians.length > 0 || dojo.guardiansOf.has(id)
    if (dateOfBirth === null && hasGuardian) {
      const [row] = rows
      if (row !== undefined)
        refusals.push({ row, field: 'date_of_birth', message: NO_DATE_OF_BIRTH })
      continue
    }
    if (mayInvite(ownEmail, rows[0], 'email')) invitees.push({ student_id: id, email: ownEmail })
  }
  return { invitees, refused: refusals }
}
