import { ADULT_AGE } from '@tatami/contract/guardians/guardians'
import type { FamilyQuestion, UnusedEmail } from '@tatami/contract/import/import-plan'
import type { CellRemark, ImportedGuardian, ImportedPerson } from '@tatami/contract/import/rows'
import { hasReachedAge } from '../guardians/ages.ts'
import {
  isRoleEmail,
  isPlaceholderEmail,
  toMailbox,
  MAX_SURNAMES,
  nameKey,
  listSurnames,
} from '../families/names-and-contacts.ts'
import { mapInSlices } from '../lib/event-loop.ts'
import {
  buildFamilyQuestion,
  countSurnames,
  type FamilyAnswers,
  MAX_SIDES,
  type Party,
  splitIntoSides,
  type ToUsablePhone,
} from './family-questions.ts'
import type { DojoRecords } from './dojo-records.ts'

export type PersonRow = { row: number; person: ImportedPerson }
type EmailUse = { address: string; row: PersonRow; guardian: ImportedGuardian | null }
type UnusedReason = UnusedEmail['reason']

export type EmailDecisions = {
  /** All rows, but without emails whose owner is unclear. */
  rows: PersonRow[]
  /** Emails that several students share. */
  familyEmails: Set<string>
  notices: { row: number; remark: CellRemark }[]
  /** Row → the unused emails to save in the notes. */
  emailsForNotes: Map<number, string[]>
  questions: FamilyQuestion[]
  unused: UnusedEmail[]
}

const NOTICE_BY_REASON: Record<UnusedReason, string> = {
  placeholder: 'Skipped: placeholder address',
  staff: 'Skipped: instructor’s address',
  office: 'Saved in notes: looks like an office address',
  crowd: 'Saved in notes: shared by too many families',
  shared: 'Saved in notes: these students may be from different families',
}

/** Decides who each email belongs to. Rows with the same email are one family. If something
 *  contradicts that, we ask the instructor. */
export async function decideEmails(
  rows: readonly PersonRow[],
  dojo: DojoRecords,
  answers: FamilyAnswers,
  toUsablePhone: ToUsablePhone,
  today: string,
): Promise<EmailDecisions> {
  const decisions: EmailDecisions = {
    rows: await mapInSlices(rows, ({ row, person }) => ({
      row,
      person: removeSelfAsGuardian(person, today),
    })),
    familyEmails: new Set(),
    notices: [],
    emailsForNotes: new Map(),
    questions: [],
    unused: [],
  }
  const uses = (await mapInSlices(decisions.rows, listEmailUses)).flat()
  const usesByMailbox = Map.groupBy(uses, ({ address }) => toMailbox(address))
  await mapInSlices([...usesByMailbox], ([mailbox, mailboxUses]) => {
    const { reason, sides } = decideEmail(mailbox, mailboxUses, dojo, toUsablePhone)
    let sharedUses = reason === null ? mailboxUses : []
    if (sides) {
      const question = buildFamilyQuestion('family', sides, answers)
      decisions.questions.push(question)
      sharedUses = findJoinedUses(mailboxUses, question)
    }
    const unsharedUses = mailboxUses.filter((use) => !sharedUses.includes(use))
    if (sharedUses.length > 0) shareEmail(mailbox, sharedUses, decisions)
    if (unsharedUses.length > 0 && reason !== null)
      leaveOutEmail(mailbox, unsharedUses, reason, decisions)
  })
  return decisions
}

/** Returns the uses in rows that are one family according to the instructor's answer. */
function findJoinedUses(
  uses: readonly EmailUse[],
  { sides, joined_sides }: FamilyQuestion,
): EmailUse[] {
  const joinedRows = new Set(joined_sides.flatMap((index) => sides[index]?.rows ?? []))
  return uses.filter(({ row }) => joinedRows.has(row.row))
}

/** In an adult's row, a guardian column that names nobody else is about the adult. */
function removeSelfAsGuardian(person: ImportedPerson, today: string): ImportedPerson {
  const isAdult = hasReachedAge(person.date_of_birth, ADULT_AGE, today, { unknown: false })
  const isSamePerson = ({ name }: ImportedGuardian) =>
    isAdult && (name === null || nameKey(name) === nameKey(person.name))
  const guardians = person.guardians
    .filter((guardian) => !isSamePerson(guardian))
    .map((guardian) => ({ ...guardian }))
  // An email that two guardians share belongs to the first.
  const [firstGuardian, ...otherGuardians] = guardians
  for (const otherGuardian of otherGuardians)
    if (otherGuardian.email === firstGuardian?.email) otherGuardian.email = null
  const email = person.email ?? person.guardians.find(isSamePerson)?.email ?? null
  return { ...person, email, guardians }
}

function listEmailUses(row: PersonRow): EmailUse[] {
  const { email, guardians } = row.person
  const guardianUses = guardians.flatMap((guardian) =>
    guardian.email === null ? [] : [{ address: guardian.email, row, guardian }],
  )
  return email === null ? guardianUses : [{ address: email, row, guardian: null }, ...guardianUses]
}

type EmailDecision = {
  /** Why the email is not used, or null if the people share it. */
  reason: UnusedReason | null
  /** Set if we ask whether these sides are one family. */
  sides?: Party[][]
}

function decideEmail(
  mailbox: string,
  uses: EmailUse[],
  dojo: DojoRecords,
  toUsablePhone: ToUsablePhone,
): EmailDecision {
  if (isPlaceholderEmail(mailbox, listNames(uses))) return { reason: 'placeholder' }
  const names = new Map(uses.map(({ row: { person } }) => [nameKey(person.name), person.name]))
  if (countSurnames(names.values()) > MAX_SURNAMES) return { reason: 'crowd' }
  const sheetParties = toParties(uses)
  const dojoParties = dojo.partiesByEmail.get(mailbox) ?? []
  const linkedNames = new Set(dojoParties.flatMap(({ students }) => students.map(nameKey)))
  const areAllLinked = [...names.keys()].every((name) => linkedNames.has(name))
  const instructor = dojo.instructorByEmail.get(mailbox)
  const isOnlyForInstructor = [...names.keys()].every(
    (name) => name === nameKey(instructor?.guardian ?? ''),
  )
  if (instructor !== undefined && !isOnlyForInstructor && !areAllLinked)
    return decideInstructorEmail(instructor, sheetParties)
  if (areAllLinked || (names.size <= 1 && dojoParties.length === 0)) return { reason: null }
  const sides = splitIntoSides([...dojoParties, ...sheetParties], toUsablePhone)
  if (isRoleEmail(mailbox)) return decideOfficeEmail(sides, sheetParties)
  if (sides.length === 1) return { reason: null }
  return sides.length > MAX_SIDES ? { reason: 'crowd' } : { reason: 'shared', sides }
}

const listNames = (uses: EmailUse[]): string[] =>
  uses.flatMap(({ row: { person } }) => [
    person.name,
    ...person.guardians.flatMap(({ name }) => name ?? []),
  ])

/** Students with the instructor's surname may be the instructor's children. */
function decideInstructorEmail(instructor: Party, sheetParties: Party[]): EmailDecision {
  const studentNames = sheetParties.flatMap(({ students }) => students)
  const [instructorSurnames = [], ...surnamesByStudent] = listSurnames([
    instructor.guardian ?? '',
    ...studentNames,
  ])
  const haveInstructorsSurname = surnamesByStudent.every((surnames) =>
    surnames.some((surname) => instructorSurnames.includes(surname)),
  )
  return haveInstructorsSurname && sheetParties.length < MAX_SIDES
    ? { reason: 'staff', sides: [[instructor], sheetParties] }
    : { reason: 'staff' }
}

/** An email such as office@… may belong to a family's business. */
function decideOfficeEmail(sides: Party[][], sheetParties: Party[]): EmailDecision {
  const studentSides = [...Map.groupBy(sheetParties, ({ students }) => students.join()).values()]
  const isUnclear =
    sides.length === 1 && studentSides.length > 1 && studentSides.length <= MAX_SIDES
  return isUnclear ? { reason: 'office', sides: studentSides } : { reason: 'office' }
}

function toParties(uses: EmailUse[]): Party[] {
  return [...Map.groupBy(uses, ({ row }) => row)].map(([{ row, person }, usesOfRow]) => ({
    row,
    students: [person.name],
    guardian: usesOfRow.find(({ guardian }) => guardian?.name)?.guardian?.name ?? null,
    contacts: [...person.guardians.map(({ name }) => name), person.emergency_contact_name].filter(
      (name) => name !== null,
    ),
    emails: [...new Set(usesOfRow.map(({ address }) => address))],
    phones: [
      ...person.guardians.map(({ phone }) => phone),
      person.phone_number,
      person.emergency_contact_phone,
    ].filter((phone) => phone !== null),
  }))
}

/** Gives the address the same spelling in all rows, and remembers it if several students have it.
 *  */
function shareEmail(mailbox: string, uses: EmailUse[], { familyEmails }: EmailDecisions): void {
  const names = new Set(uses.map(({ row: { person } }) => nameKey(person.name)))
  const spellings = [...new Set(uses.map(({ address }) => address))]
  const [onlySpelling] = spellings
  const isSpelledDifferently = spellings.length > 1 || onlySpelling === undefined
  if (names.size > 1) familyEmails.add(isSpelledDifferently ? mailbox : onlySpelling)
  if (!isSpelledDifferently) return
  for (const { row, guardian } of uses)
    if (guardian) guardian.email = mailbox
    else row.person.email = mailbox
}

function leaveOutEmail(
  mailbox: string,
  uses: EmailUse[],
  reason: UnusedReason,
  decisions: EmailDecisions,
): void {
  decisions.unused.push({ email: mailbox, reason, rows: new Set(uses.map(({ row }) => row)).size })
  const isSavedInNotes = reason !== 'placeholder' && reason !== 'staff'
  for (const { address, row, guardian } of uses) {
    if (guardian) guardian.email = null
    else row.person.email = null
    const field = guardian ? 'guardian_email' : 'email'
    decisions.notices.push({ row: row.row, remark: { field, message: NOTICE_BY_REASON[reason] } })
    if (!isSavedInNotes) continue
    const addresses = decisions.emailsForNotes.get(row.row) ?? []
    if (!addresses.includes(address)) decisions.emailsForNotes.set(row.row, [...addresses, address])
  }
}
