import { ADULT_AGE, OWN_LOG_IN_AGE, type Relation } from '@tatami/contract/guardians/guardians'
import type { CellRemark, ImportedGuardian, ImportedPerson } from '@tatami/contract/import/rows'
import { hadBirthday } from '../guardians/ages.ts'
import { lastNames, nameKey, nameWords } from '../families/likeness.ts'
import { mapInSlices } from '../lib/event-loop.ts'
import type { FamilyRow, JudgedEmails } from './shared-emails.ts'

/** A guardian as one row names them. `guardian-groups.ts` decides who is one person. */
export type Mention = {
  row: number
  child: string
  /** Null if the row has only an email or a number. */
  name: string | null
  relation: Relation | null
  email: string | null
  phone: string | null
  /** The parent's own row, if they train as well. */
  parentRow: number | null
}
export type RowOfFamily = {
  /** The email of the student's login; null if it is a guardian's. */
  ownEmail: string | null
  /** The first pays. */
  guardians: Mention[]
  notices: CellRemark[]
}

const isDifferent = (name: string, otherName: string) => nameKey(name) !== nameKey(otherName)

/**
 * Decides whose the emails of the rows are, and who the guardians are. A shared email, or that of a
 * child under 13, is a parent's: of the adult who has it, else of a named guardian, else of the
 * emergency contact.
 */
export async function familiesOf(
  { rows, familyEmails }: JudgedEmails,
  today: string,
): Promise<Map<number, RowOfFamily>> {
  const isAdult = ({ date_of_birth }: ImportedPerson) =>
    hadBirthday(date_of_birth, ADULT_AGE, today, { unknown: false })
  const grownUpByEmail = new Map<string, FamilyRow>()
  for (const row of rows) {
    const { email } = row.person
    if (email !== null && isAdult(row.person) && !grownUpByEmail.has(email))
      grownUpByEmail.set(email, row)
  }
  const families = await mapInSlices(rows, (row) => {
    const { email } = row.person
    const isShared = email !== null && familyEmails.has(email)
    const grownUp = email === null ? undefined : grownUpByEmail.get(email)
    return [row.row, familyOf(row, isShared, grownUp, today)] as const
  })
  return new Map(families)
}

function familyOf(
  { row, person }: FamilyRow,
  isShared: boolean,
  grownUp: FamilyRow | undefined,
  today: string,
): RowOfFamily {
  const notices: CellRemark[] = []
  const { email } = person
  const guardians = person.guardians.map((guardian) => ({ ...guardian }))
  const mention = (guardian: ImportedGuardian, parentRow: number | null = null): Mention => ({
    ...guardian,
    row,
    child: person.name,
    parentRow,
  })
  const family = (ownEmail: string | null): RowOfFamily => ({
    ownEmail,
    guardians: guardians.map((guardian) => mention(guardian)),
    notices,
  })
  const parentOf = (address: string): RowOfFamily => {
    const namedGuardian = guardians.find((guardian) => guardian.email === null)
    if (namedGuardian && guardians[0]?.email !== address) namedGuardian.email = address
    else if (guardians.every((guardian) => guardian.email !== address))
      guardians.unshift(contactAsGuardian(person, address))
    return family(null)
  }
  const leaveOut = (message: string): RowOfFamily => {
    notices.push({ field: 'email', message })
    return family(null)
  }
  if (email !== null && guardians.some((guardian) => guardian.email === email)) return family(null)
  if (email !== null && isShared) {
    if (grownUp?.row === row) return family(email)
    if (!grownUp) return parentOf(email)
    if (hadBirthday(person.date_of_birth, ADULT_AGE, today, { unknown: false }))
      return leaveOut(`${grownUp.person.name} has this email, too, and logs in with it`)
    const { name, phone_number } = grownUp.person
    const parent = { name, email, phone: phone_number, relation: null }
    const otherGuardians = guardians.filter(
      (guardian) => guardian.name === null || isDifferent(guardian.name, name),
    )
    return {
      ownEmail: null,
      guardians: [
        mention(parent, grownUp.row),
        ...otherGuardians.map((guardian) => mention(guardian)),
      ],
      notices,
    }
  }
  const isChild = !hadBirthday(person.date_of_birth, OWN_LOG_IN_AGE, today, { unknown: true })
  if (email !== null && isChild) {
    const areAllReached =
      guardians.length > 0 && guardians.every((guardian) => guardian.email !== null)
    return areAllReached
      ? leaveOut(`Skipped: children under ${OWN_LOG_IN_AGE} log in only when a guardian allows it`)
      : parentOf(email)
  }
  const [first] = guardians
  if (
    email !== null &&
    first?.name &&
    first.email === null &&
    isOfParent(email, first.name, person.name)
  )
    return parentOf(email)
  const isMinor = !hadBirthday(person.date_of_birth, ADULT_AGE, today, { unknown: true })
  if (guardians.length === 0 && isMinor && isParent(person))
    guardians.push(contactAsGuardian(person, null))
  return family(email)
}

/** ann.adams@home.org is Ann's, not Leo's. */
const isOfParent = (email: string, parent: string, child: string) => {
  const local = nameWords(email.split('@')[0]!).join('')
  const [parentName = ''] = nameWords(parent)
  const [childName = ''] = nameWords(child)
  return local.includes(parentName) && !local.includes(childName)
}

/** Whether the emergency contact is a parent, by the relation or the surname. */
const isParent = ({
  name,
  emergency_contact_name: contact,
  emergency_contact_phone,
  emergency_relation,
}: ImportedPerson) =>
  contact !== null &&
  isDifferent(contact, name) &&
  (emergency_relation !== null ||
    (emergency_contact_phone !== null && haveSurnameInCommon(contact, name)))

function contactAsGuardian(person: ImportedPerson, email: string | null): ImportedGuardian {
  const {
    emergency_contact_name: name,
    emergency_contact_phone: phone,
    phone_number,
    emergency_relation: relation,
  } = person
  const isOther = name !== null && isDifferent(name, person.name)
  return {
    name: isOther ? name : null,
    relation,
    email,
    phone: (isOther ? phone : null) ?? phone_number,
  }
}

function haveSurnameInCommon(name: string, otherName: string): boolean {
  const surnames = lastNames(name)
  return lastNames(otherName).some((surname) => surnames.includes(surname))
}
