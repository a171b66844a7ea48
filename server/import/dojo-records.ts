import { and, gt, isNull } from 'drizzle-orm'
import { findAccountsByEmail } from '../accounts/accounts.ts'
import { classes } from '../classes/tables.ts'
import type { Tx } from '../db/database.ts'
import {
  isPlaceholderPhone,
  splitLastName,
  toMailbox,
  nameKey,
} from '../families/names-and-contacts.ts'
import { guardians, guardianships, loginInvitations } from '../guardians/tables.ts'
import { nowIso } from '../lib/clock.ts'
import { mapInSlices } from '../lib/event-loop.ts'
import { validPhone } from '../lib/phone.ts'
import { instructors } from '../sensei/tables.ts'
import { studentNotes, students } from '../students/tables.ts'
import { type Identity, createPersonFinder } from './duplicates.ts'
import { pick } from '../lib/rows.ts'
import type { Party } from './family-questions.ts'

type StudentRow = typeof students.$inferSelect
export type ExistingStudent = Identity & {
  id: string
  student: StudentRow
  hasLogin: boolean
  isInvited: boolean
  hasPayer: boolean
}
type GuardianRow = typeof guardians.$inferSelect
export type ExistingGuardian = { row: GuardianRow; studentNames: string[] }

/** Loads everything in the dojo with which the rows of a sheet are compared. */
export async function loadDojoRecords(tx: Tx, id: string, emails: string[]) {
  const rows = await loadRows(tx)
  const { studentRows, instructorRows, links, endedLinks, invitations, notes } = rows
  const guardianRecords = indexGuardians(rows)
  const { existingGuardians } = guardianRecords
  const accounts = await findAccountsByEmail(tx, emails)
  return {
    id,
    ...guardianRecords,
    ...(await indexStudents(rows, guardianRecords)),
    studentById: new Map(studentRows.map((row) => [row.id, row])),
    guardianByEmail: indexByKey(existingGuardians, ({ row }) => [
      row.email && toMailbox(row.email),
    ]),
    guardianByPhone: indexByKey(existingGuardians, ({ row }) => [phoneKey(row.phone, row.name)]),
    guardianByName: indexByKey(existingGuardians, ({ row, studentNames }) =>
      studentNames.flatMap((studentName) => guardianNameKeys(row.name, studentName)),
    ),
    instructorByEmail: new Map(
      instructorRows.map((row) => [toMailbox(row.email), instructorToParty(row)]),
    ),
    instructorPhones: new Set(
      instructorRows
        .flatMap(({ phone_number, contact_number }) => [phone_number, contact_number])
        .map(validPhone)
        .filter((phone) => phone !== null),
    ),
    linkKeys: new Set(links.map(toLinkKey)),
    endedLinkKeys: new Set(endedLinks.map(toLinkKey)),
    notes: new Map(notes.map((note) => [note.id, note])),
    classes: await tx
      .select({ id: classes.id, class_name: classes.class_name })
      .from(classes)
      .orderBy(classes.created_at, classes.id),
    invitedEmails: new Set(invitations.map(({ email }) => email)),
    accountByEmail: new Map(accounts.map((account) => [account.email, account])),
  }
}

async function loadRows(tx: Tx) {
  const allLinks = await tx
    .select(pick(guardianships, 'guardian_id', 'student_id', 'pays', 'ended_at'))
    .from(guardianships)
  return {
    studentRows: await tx.select().from(students),
    guardianRows: await tx.select().from(guardians),
    instructorRows: await tx.select().from(instructors),
    links: allLinks.filter(({ ended_at }) => ended_at === null),
    endedLinks: allLinks.filter(({ ended_at }) => ended_at !== null),
    invitations: await tx
      .select(pick(loginInvitations, 'student_id', 'guardian_id', 'email'))
      .from(loginInvitations)
      .where(and(isNull(loginInvitations.accepted_at), gt(loginInvitations.expires_at, nowIso()))),
    notes: await tx
      .select({
        id: studentNotes.student_id,
        ...pick(studentNotes, 'allergies', 'medical_note', 'private_notes'),
      })
      .from(studentNotes),
  }
}
type DojoRows = Awaited<ReturnType<typeof loadRows>>

const toLinkKey = ({ guardian_id, student_id }: DojoRows['links'][number]) =>
  `${guardian_id} ${student_id}`

function indexGuardians({ studentRows, guardianRows, links, endedLinks }: DojoRows) {
  const studentNameById = new Map(studentRows.map(({ id, name }) => [id, name]))
  const guardianById = new Map<string, ExistingGuardian>(
    guardianRows.map((row) => [row.id, { row, studentNames: [] }]),
  )
  const guardiansByStudent = new Map<string, GuardianRow[]>()
  for (const { guardian_id, student_id } of links) {
    const guardian = guardianById.get(guardian_id)
    const studentName = studentNameById.get(student_id)
    if (!guardian || studentName === undefined) continue
    guardian.studentNames.push(studentName)
    appendTo(guardiansByStudent, student_id, guardian.row)
  }
  const formerGuardiansByStudent = new Map<string, GuardianRow[]>()
  for (const { guardian_id, student_id } of endedLinks) {
    const guardian = guardianById.get(guardian_id)
    if (guardian) appendTo(formerGuardiansByStudent, student_id, guardian.row)
  }
  const existingGuardians = [...guardianById.values()]
  return { guardianById, guardiansByStudent, formerGuardiansByStudent, existingGuardians }
}

async function indexStudents(
  { studentRows, links, invitations }: DojoRows,
  {
    guardiansByStudent,
    formerGuardiansByStudent,
    existingGuardians,
  }: ReturnType<typeof indexGuardians>,
) {
  const invitedEmailById = new Map(
    invitations.map(({ student_id, guardian_id, email }) => [student_id ?? guardian_id, email]),
  )
  const idsWithPayer = new Set(links.filter(({ pays }) => pays).map((link) => link.student_id))
  const studentFinder = createPersonFinder<ExistingStudent>()
  const partiesByEmail = new Map<string, Party[]>()
  const addParty = (email: string | null, party: Party) => {
    if (email !== null) appendTo(partiesByEmail, toMailbox(email), party)
  }
  for (const guardian of existingGuardians) addParty(guardian.row.email, guardianToParty(guardian))
  await mapInSlices(studentRows, (student) => {
    const email = student.email ?? invitedEmailById.get(student.id) ?? null
    addParty(email, studentToParty(student, email))
    // A former guardian also helps to recognize a student.
    const guardianRows = [
      ...(guardiansByStudent.get(student.id) ?? []),
      ...(formerGuardiansByStudent.get(student.id) ?? []),
    ]
    studentFinder.add({
      ...pick(student, 'id', 'name', 'date_of_birth'),
      email,
      familyEmails: guardianRows.map((row) => row.email).filter((address) => address !== null),
      phone: student.phone_number,
      guardians: guardianRows.map(({ name, phone }) => ({ name, phone })),
      familyPhones: guardianRows.map(({ phone }) => phone).filter((phone) => phone !== null),
      student,
      hasLogin: student.email !== null,
      isInvited: invitedEmailById.has(student.id),
      hasPayer: idsWithPayer.has(student.id),
    })
  })
  return { findStudent: studentFinder.find, partiesByEmail }
}

export type DojoRecords = Awaited<ReturnType<typeof loadDojoRecords>>

function appendTo<Item>(itemsByKey: Map<string, Item[]>, key: string, item: Item): void {
  const items = itemsByKey.get(key)
  if (items) items.push(item)
  else itemsByKey.set(key, [item])
}

/** If several items have the same key, the first item wins. */
function indexByKey<Item>(
  items: Item[],
  listKeys: (item: Item) => (string | null)[],
): Map<string, Item> {
  const itemByKey = new Map<string, Item>()
  for (const item of items)
    for (const key of listKeys(item))
      if (key !== null && !itemByKey.has(key)) itemByKey.set(key, item)
  return itemByKey
}

export const guardianToParty = ({ row, studentNames }: ExistingGuardian): Party => ({
  row: null,
  students: studentNames,
  guardian: row.name,
  contacts: [],
  emails: row.email === null ? [] : [row.email],
  phones: row.phone === null ? [] : [row.phone],
})

const studentToParty = (student: StudentRow, email: string | null): Party => ({
  row: null,
  students: [student.name],
  guardian: null,
  contacts: student.emergency_contact_name === null ? [] : [student.emergency_contact_name],
  emails: email === null ? [] : [email],
  phones: [student.phone_number, student.emergency_contact_phone].filter((phone) => phone !== null),
})

const instructorToParty = ({
  name,
  email,
  phone_number,
}: typeof instructors.$inferSelect): Party => ({
  row: null,
  students: [],
  guardian: name,
  contacts: [],
  emails: [email],
  phones: phone_number === null ? [] : [phone_number],
})

/** The name is part of the key because parents may share a number. */
function phoneKey(phone: string | null, name: string): string | null {
  const number = validPhone(phone)
  return number && !isPlaceholderPhone(number) ? `phone ${number} ${nameKey(name)}` : null
}

/** Guardians with the same name may be the same person if their children share a surname. */
export const guardianNameKeys = (guardianName: string, childName: string): string[] =>
  splitLastName(childName).map((surname) => `name ${nameKey(guardianName)} of ${surname}`)
