import { ADULT_AGE, OWN_LOG_IN_AGE, type Relation } from '@tatami/contract/guardians'
import type { CellRemark, ImportedGuardian, ImportedPerson } from '@tatami/contract/import-rows'
import { fold } from '@tatami/contract/import-values'
import { hadBirthday } from '../families/ages.ts'
import { validPhone } from '../lib/phone.ts'

/** A guardian of the sheet: one for all rows that have their email, or their number and name. */
export type SheetGuardian = {
  name: string
  relation: Relation | null
  email: string | null
  phone: string | null
  /** The row of somebody who trains as well. */
  isRow: number | null
  /** Nobody wrote the name: it stands for one. */
  isNamedAfterChild: boolean
}
export type RowOfFamily = {
  /** Whose log-in the email becomes; null where it is a guardian's. */
  ownEmail: string | null
  /** The first pays. */
  guardians: SheetGuardian[]
  notices: CellRemark[]
}
type Row = { row: number; person: ImportedPerson }

const surname = (name: string) => fold(name).split(' ').at(-1)!
const firstName = (name: string) => fold(name).split(' ')[0]!
const isDifferent = (one: string, other: string) => fold(one) !== fold(other)

/**
 * Whose the emails of the rows are, and who answers for whom. An email that several rows share is a parent's: of the grown-up among them, else of
 * the guardian whom the row names, else of the emergency contact. The same of one beside a child under 13, who has no log-in of their own.
 */
export function familiesOf(rows: readonly Row[], today: string): Map<number, RowOfFamily> {
  const sharing = Map.groupBy(
    rows.filter(({ person }) => person.email !== null),
    ({ person }) => person.email!,
  )
  const known = knownGuardians()
  return new Map(
    rows.map(
      (one) =>
        [one.row, familyOf(one, sharing.get(one.person.email ?? '') ?? [], known, today)] as const,
    ),
  )
}

const isAdult = ({ date_of_birth }: ImportedPerson, today: string) =>
  hadBirthday(date_of_birth, ADULT_AGE, today, { unknown: false })
const isMinor = ({ date_of_birth }: ImportedPerson, today: string) =>
  !hadBirthday(date_of_birth, ADULT_AGE, today, { unknown: true })

function familyOf({ row, person }: Row, sharing: Row[], known: Known, today: string): RowOfFamily {
  const notices: CellRemark[] = []
  const isChild = !hadBirthday(person.date_of_birth, OWN_LOG_IN_AGE, today, { unknown: true })
  const others = sharing.filter(
    (one) => one.row !== row && isDifferent(one.person.name, person.name),
  )
  const { email, given } = withoutOneself(person, isAdult(person, today))
  const family = (ownEmail: string | null): RowOfFamily => ({
    ownEmail,
    guardians: [...new Set(given.map((guardian) => known.find(guardian, person)))],
    notices,
  })
  const parentOf = (address: string | null): RowOfFamily => {
    const named = given.find((guardian) => guardian.email === null)
    if (named && given[0]?.email !== address) named.email = address
    else if (given.every((guardian) => guardian.email !== address))
      given.unshift(contactAsGuardian(person, address))
    return family(null)
  }
  if (email !== null && given.some((guardian) => guardian.email === email)) return family(null)
  if (email !== null && others.length > 0) {
    const grownUp = [{ row, person }, ...others]
      .filter((one) => isAdult(one.person, today))
      .toSorted((one, other) => one.row - other.row)[0]
    if (grownUp?.row === row) return family(email)
    if (grownUp && isAdult(person, today)) {
      notices.push({
        field: 'email',
        message: `${grownUp.person.name} has this email, too, and logs in with it`,
      })
      return family(null)
    }
    if (!grownUp) return parentOf(email)
    const parent = known.ofRow(grownUp)
    const rest = family(null)
    return {
      ...rest,
      guardians: [
        ...new Set([parent, ...rest.guardians.filter((one) => isDifferent(one.name, parent.name))]),
      ],
    }
  }
  if (email !== null && isChild) {
    if (given.length > 0 && given.every((guardian) => guardian.email !== null)) {
      notices.push({
        field: 'email',
        message: `Left out: a child under ${OWN_LOG_IN_AGE} logs in only when a guardian allows it`,
      })
      return family(null)
    }
    return parentOf(email)
  }
  const [first] = given
  if (
    email !== null &&
    first?.name &&
    first.email === null &&
    isOfParent(email, first.name, person.name)
  )
    return parentOf(email)
  if (given.length === 0 && isMinor(person, today) && isParent(person))
    given.push(contactAsGuardian(person, null))
  return family(email)
}

/** A grown-up in whose row the parent's columns have no other name answers for themselves: what stands there is their own. */
function withoutOneself({ name, email, guardians }: ImportedPerson, isGrownUp: boolean) {
  const isOneself = (guardian: ImportedGuardian) =>
    isGrownUp && (guardian.name === null || !isDifferent(guardian.name, name))
  const own = guardians.find(isOneself)
  return {
    email: email ?? own?.email ?? null,
    given: guardians
      .filter((guardian) => !isOneself(guardian))
      .map((guardian) => ({ ...guardian })),
  }
}

/** ann.adams@home.org is Ann's, and not Leo's. */
const isOfParent = (email: string, parent: string, child: string) => {
  const local = fold(email.split('@')[0]!).replaceAll(' ', '')
  return local.includes(firstName(parent)) && !local.includes(firstName(child))
}

/** The emergency contact says that they are a parent, or has the child's surname. */
const isParent = ({
  name,
  emergency_contact_name: contact,
  emergency_contact_phone,
  emergency_relation,
}: ImportedPerson) =>
  contact !== null &&
  isDifferent(contact, name) &&
  (emergency_relation !== null ||
    (emergency_contact_phone !== null && surname(contact) === surname(name)))

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

type Known = ReturnType<typeof knownGuardians>

/** The guardians of a sheet, each once: by email, else by number and name, else by name and the children's surname. */
function knownGuardians() {
  const byKey = new Map<string, SheetGuardian>()
  const remember = (keys: (string | null)[], guardian: SheetGuardian) => {
    for (const key of keys) if (key !== null && !byKey.has(key)) byKey.set(key, guardian)
  }
  const lookUp = (keys: (string | null)[]) =>
    keys.flatMap((key) => (key === null ? [] : (byKey.get(key) ?? [])))[0]

  return {
    find({ name, relation, email, phone }: ImportedGuardian, child: ImportedPerson): SheetGuardian {
      const number = validPhone(phone)
      const byEmail = email && `email ${email}`
      const byPhone = number && name && `phone ${number} ${fold(name)}`
      const byName = name && `name ${fold(name)} ${surname(child.name)}`
      const same = lookUp([byEmail, byPhone, byName])
      const isSame =
        same !== undefined && (email === null || same.email === null || same.email === email)
      const guardian: SheetGuardian = isSame
        ? same
        : {
            name: name ?? `Parent of ${child.name}`,
            relation,
            email,
            phone,
            isRow: null,
            isNamedAfterChild: name === null,
          }
      if (name !== null && guardian.isNamedAfterChild)
        Object.assign(guardian, { name, isNamedAfterChild: false })
      Object.assign(guardian, {
        relation: guardian.relation ?? relation,
        email: guardian.email ?? email,
        phone: guardian.phone ?? phone,
      })
      remember([byEmail, byPhone, byName], guardian)
      return guardian
    },
    ofRow({ row, person }: Row): SheetGuardian {
      const key = `row ${row}`
      const guardian = byKey.get(key) ?? {
        name: person.name,
        relation: null,
        email: person.email,
        phone: person.phone_number,
        isRow: row,
        isNamedAfterChild: false,
      }
      const number = validPhone(person.phone_number)
      remember(
        [
          key,
          person.email && `email ${person.email}`,
          number && `phone ${number} ${fold(person.name)}`,
        ],
        guardian,
      )
      return guardian
    },
  }
}
