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
  keptEmails: Map<number, string[]>
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

/** Rows with the same email are one family. If something contradicts that, we ask. */
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
      person: takeOwnContacts(person, today),
    })),
    familyEmails: new Set(),
    notices: [],
    keptEmails: new Map(),
    questions: [],
    unused: [],
  }
  const uses = await mapInSlices(decisions.rows, listUses)
  const usesByMailbox = Map.groupBy(uses.flat(), ({ address }) => toMailbox(address))
  await mapInSlices([...usesByMailbox], ([mailbox, group]) => {
    const decision = decideEmail(mailbox, group, dojo, toUsablePhone)
    if (decision.sides) {
      const question = buildFamilyQuestion('family', decision.sides, answers)
      decisions.questions.push(question)
      const joinedRows = new Set(
        question.joined_sides.flatMap((side) => question.sides[side]!.rows),
      )
      const { joinedUses = [], separateUses = [] } = Object.groupBy(group, ({ row }) =>
        joinedRows.has(row.row) ? 'joinedUses' : 'separateUses',
      )
      if (joinedUses.length > 0) shareEmail(mailbox, joinedUses, decisions)
      if (separateUses.length > 0 && decision.reason !== null)
        leaveOutEmail(mailbox, separateUses, decision.reason, decisions)
      return
    }
    if (decision.reason === null) shareEmail(mailbox, group, decisions)
    else leaveOutEmail(mailbox, group, decision.reason, decisions)
  })
  return decisions
}

/** In an adult's row, guardian columns without another name have the adult's own contact details. */
function takeOwnContacts(person: ImportedPerson, today: string): ImportedPerson {
  const isAdult = hasReachedAge(person.date_of_birth, ADULT_AGE, today, { unknown: false })
  const isSamePerson = ({ name }: ImportedGuardian) =>
    isAdult && (name === null || nameKey(name) === nameKey(person.name))
  const guardians = person.guardians
    .filter((guardian) => !isSamePerson(guardian))
    .map((guardian) => ({ ...guardian }))
  const [firstGuardian, ...otherGuardians] = guardians
  for (const otherGuardian of otherGuardians)
    if (otherGuardian.email === firstGuardian?.email) otherGuardian.email = null
  const email = person.email ?? person.guardians.find(isSamePerson)?.email ?? null
  return { ...person, email, guardians }
}

function listUses(row: PersonRow): EmailUse[] {
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
  const isAllLinked = [...names.keys()].every((name) => linkedNames.has(name))
  const instructor = dojo.instructorByEmail.get(mailbox)
  const isInstructor = [...names.keys()].every(
    (name) => name === nameKey(instructor?.guardian ?? ''),
  )
  if (instructor !== undefined && !isInstructor && !isAllLinked)
    return decideInstructorEmail(instructor, sheetParties)
  if (isAllLinked || (names.size <= 1 && dojoParties.length === 0)) return { reason: null }
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
  const [ownSurnames = [], ...keys] = listSurnames([
    instructor.guardian ?? '',
    ...sheetParties.flatMap(({ students }) => students),
  ])
  const shareSurname = keys.every((words) => words.some((word) => ownSurnames.includes(word)))
  return shareSurname && sheetParties.length < MAX_SIDES
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

/** If rows spell the address differently, all of them get the same spelling. */
function shareEmail(mailbox: string, uses: EmailUse[], { familyEmails }: EmailDecisions): void {
  const names = new Set(uses.map(({ row: { person } }) => nameKey(person.name)))
  const addresses = new Set(uses.map(({ address }) => address))
  const [address = mailbox] = addresses.size > 1 ? [mailbox] : addresses
  if (names.size > 1) familyEmails.add(address)
  if (addresses.size <= 1) return
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
  const isKept = reason !== 'placeholder' && reason !== 'staff'
  for (const { address, row, guardian } of uses) {
    if (guardian) guardian.email = null
    else row.person.email = null
    const field = guardian ? 'guardian_email' : 'email'
    decisions.notices.push({ row: row.row, remark: { field, message: NOTICE_BY_REASON[reason] } })
    if (!isKept) continue
    const keptAddresses = decisions.keptEmails.get(row.row) ?? []
    if (!keptAddresses.includes(address))
      decisions.keptEmails.set(row.row, [...keptAddresses, address])
  }
}
