import { ADULT_AGE, OWN_LOGIN_AGE, type Relation } from '@tatami/contract/guardians/guardians'
import type { CellRemark, ImportedGuardian, ImportedPerson } from '@tatami/contract/import/rows'
import { hasReachedAge } from '../guardians/ages.ts'
import { splitLastName, nameKey, nameWords } from '../families/names-and-contacts.ts'
import { mapInSlices } from '../lib/event-loop.ts'
import type { PersonRow, EmailDecisions } from './email-owners.ts'

/** A guardian as written in one row. `guardian-groups.ts` finds out which mentions are the same
 *  person. */
export type Mention = {
  row: number
  child: string
  name: string | null
  relation: Relation | null
  email: string | null
  phone: string | null
  /** The parent's own row, if they also train. */
  parentRow: number | null
}
export type RowFamily = {
  /** The student's own email for logging in, or null if the email is a guardian's. */
  ownEmail: string | null
  guardians: Mention[]
  notices: CellRemark[]
}

const isDifferentName = (name: string, otherName: string) => nameKey(name) !== nameKey(otherName)

/**
 * A shared email, or the email of a child under 13, belongs to a parent: the adult student who has
 * it, or else a named guardian, or else the emergency contact.
 */
export async function findFamilies(
  { rows, familyEmails }: EmailDecisions,
  today: string,
): Promise<Map<number, RowFamily>> {
  const isAdult = ({ date_of_birth }: ImportedPerson) =>
    hasReachedAge(date_of_birth, ADULT_AGE, today, { unknown: false })
  const adultByEmail = new Map<string, PersonRow>()
  for (const row of rows) {
    const { email } = row.person
    if (email !== null && isAdult(row.person) && !adultByEmail.has(email))
      adultByEmail.set(email, row)
  }
  const families = await mapInSlices(rows, (row) => {
    const { email } = row.person
    const isShared = email !== null && familyEmails.has(email)
    const adult = email === null ? undefined : adultByEmail.get(email)
    return [row.row, findFamily(row, isShared, adult, today)] as const
  })
  return new Map(families)
}

function findFamily(
  personRow: PersonRow,
  isShared: boolean,
  adult: PersonRow | undefined,
  today: string,
): RowFamily {
  const { row, person } = personRow
  const owner = decideOwner(personRow, isShared, adult, today)
  const toMention = (guardian: ImportedGuardian, parentRow: number | null = null): Mention => ({
    ...guardian,
    row,
    child: person.name,
    parentRow,
  })
  const mentions = assignEmail(person, owner, today).map((guardian) => toMention(guardian))
  if (owner.kind === 'adult student') {
    const { name, phone_number } = owner.parent.person
    const parent = { name, email: person.email, phone: phone_number, relation: null }
    const otherGuardians = mentions.filter(
      (guardian) => guardian.name === null || isDifferentName(guardian.name, name),
    )
    return {
      ownEmail: null,
      guardians: [toMention(parent, owner.parent.row), ...otherGuardians],
      notices: [],
    }
  }
  return {
    ownEmail: owner.kind === 'student' ? person.email : null,
    guardians: mentions,
    notices: owner.kind === 'nobody' ? [{ field: 'email', message: owner.message }] : [],
  }
}

/** The person to whom the email in a student's row belongs. An `adult student` is a parent with
 *  their own row. A `parent` may be a guardian without a name. */
type EmailOwner =
  | { kind: 'student' | 'named guardian' | 'parent' }
  | { kind: 'adult student'; parent: PersonRow }
  | { kind: 'nobody'; message: string }

function decideOwner(
  { row, person }: PersonRow,
  isShared: boolean,
  adult: PersonRow | undefined,
  today: string,
): EmailOwner {
  const { email, guardians, date_of_birth } = person
  if (email === null) return { kind: 'student' }
  if (guardians.some((guardian) => guardian.email === email)) return { kind: 'named guardian' }
  if (isShared) {
    if (adult?.row === row) return { kind: 'student' }
    if (!adult) return { kind: 'parent' }
    const isAdult = hasReachedAge(date_of_birth, ADULT_AGE, today, { unknown: false })
    const message = `${adult.person.name} has the same email and logs in with it`
    return isAdult ? { kind: 'nobody', message } : { kind: 'adult student', parent: adult }
  }
  const isChild = !hasReachedAge(date_of_birth, OWN_LOGIN_AGE, today, { unknown: true })
  if (isChild) {
    const hasEveryGuardianAnEmail =
      guardians.length > 0 && guardians.every((guardian) => guardian.email !== null)
    const message = `Skipped: children under ${OWN_LOGIN_AGE} log in only when a guardian allows it`
    return hasEveryGuardianAnEmail ? { kind: 'nobody', message } : { kind: 'parent' }
  }
  const [parent] = guardians
  const isGuardiansEmail =
    parent?.name && parent.email === null && isParentsEmail(email, parent.name, person.name)
  return { kind: isGuardiansEmail ? 'parent' : 'student' }
}

/** Returns the guardians in a row, and gives a parent the email in the student's column. */
function assignEmail(person: ImportedPerson, owner: EmailOwner, today: string): ImportedGuardian[] {
  const { email, date_of_birth } = person
  const guardians = person.guardians.map((guardian) => ({ ...guardian }))
  if (owner.kind === 'parent') {
    const guardianWithoutEmail = guardians.find((guardian) => guardian.email === null)
    if (!guardianWithoutEmail) return [contactToGuardian(person, email), ...guardians]
    guardianWithoutEmail.email = email
  }
  const isMinor = !hasReachedAge(date_of_birth, ADULT_AGE, today, { unknown: true })
  if (owner.kind === 'student' && guardians.length === 0 && isMinor && isContactParent(person))
    return [contactToGuardian(person, null)]
  return guardians
}

/** ann.adams@home.org belongs to Ann, not to her son Leo. */
const isParentsEmail = (email: string, parent: string, child: string) => {
  const [localPart = ''] = email.split('@')
  const mailboxName = nameWords(localPart).join('')
  const [parentName = ''] = nameWords(parent)
  const [childName = ''] = nameWords(child)
  return mailboxName.includes(parentName) && !mailboxName.includes(childName)
}

/** True if the emergency contact is probably a parent. */
const isContactParent = ({
  name,
  emergency_contact_name: contact,
  emergency_contact_phone,
  emergency_relation,
}: ImportedPerson) =>
  contact !== null &&
  isDifferentName(contact, name) &&
  (emergency_relation !== null ||
    (emergency_contact_phone !== null && haveSurnameInCommon(contact, name)))

/** Makes a guardian of the emergency contact, or a guardian without a name. */
function contactToGuardian(person: ImportedPerson, email: string | null): ImportedGuardian {
  const contactName = person.emergency_contact_name
  const hasContact = contactName !== null && isDifferentName(contactName, person.name)
  const contactPhone = hasContact ? person.emergency_contact_phone : null
  return {
    name: hasContact ? contactName : null,
    relation: person.emergency_relation,
    email,
    phone: contactPhone ?? person.phone_number,
  }
}

function haveSurnameInCommon(name: string, otherName: string): boolean {
  const surnames = splitLastName(name)
  return splitLastName(otherName).some((surname) => surnames.includes(surname))
}
