import type { FamilySuggestion } from '@tatami/contract/families'
import { FAMILY_REASONS, type FamilyReason } from '@tatami/contract/guardians'
import { normalize } from '@tatami/contract/student-search'
import { asc, eq, sql } from 'drizzle-orm'
import { audit } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import type { Member } from '../http/serve.ts'
import { validPhone } from '../lib/phone.ts'
import { notFound } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'
import { isLive } from './guardians.ts'
import { guardians, guardianships, unrelatedStudents } from './tables.ts'

/** More students than this with one number have a club's or a school's in common, not a parent's. */
const LARGEST_FAMILY = 8

type Candidate = {
  student_id: string
  name: string
  email: string | null
  phone_number: string | null
  emergency_contact_name: string | null
  emergency_contact_phone: string | null
  guardian_ids: string[]
}
type KnownGuardian = { id: string; name: string; phone: string | null; email: string | null }
type Pair = { one: string; other: string }

const fold = (words: string) => normalize(words).trim().replace(/\s+/g, ' ')
const surname = (name: string) => fold(name).split(' ').at(-1)!
/** anna+leo@home.org is anna@home.org: what follows a plus does not change whose letterbox it is. */
const letterbox = (address: string) => address.replace(/\+[^@]*@/, '@')

/** What two students of one family may have in common; each key begins with its reason. */
function keysOf({
  name,
  email,
  phone_number,
  emergency_contact_name,
  emergency_contact_phone,
}: Candidate): [FamilyReason, string][] {
  const own = validPhone(phone_number),
    emergency = validPhone(emergency_contact_phone)
  return [
    ...(own ? [['phone', own] as [FamilyReason, string]] : []),
    // A parent's number may stand as one child's own and as another's for emergencies.
    ...[...new Set([own, emergency])].flatMap((phone) =>
      phone ? [['emergency_phone', phone] as [FamilyReason, string]] : [],
    ),
    ...(emergency_contact_name
      ? [
          ['emergency_contact', `${fold(emergency_contact_name)} of ${surname(name)}`] as [
            FamilyReason,
            string,
          ],
        ]
      : []),
    ...(email ? [['email', letterbox(email)] as [FamilyReason, string]] : []),
  ]
}

const idOf = (one: string, other: string) => (one < other ? `${one} ${other}` : `${other} ${one}`)

/**
 * The students who may be one family: connected by a phone, an emergency contact or a letterbox in common, or by a guardian whom they have
 * already. No suggestion has two students who were said to be unrelated, and none is of students who all have one guardian in common.
 */
export function suggestFamilies(
  candidates: Candidate[],
  known: KnownGuardian[],
  unrelated: Pair[],
): FamilySuggestion[] {
  const apart = new Set(unrelated.map(({ one, other }) => idOf(one, other)))
  const reasons = pairsInCommon(candidates)
  const groupOf = new Map(candidates.map((one) => [one.student_id, [one]]))
  for (const pair of reasons.keys()) {
    const [one, other] = pair.split(' ').map((id) => groupOf.get(id)!)
    if (
      one === other ||
      one!.some((a) => other!.some((b) => apart.has(idOf(a.student_id, b.student_id))))
    )
      continue
    const merged = [...one!, ...other!]
    for (const { student_id } of merged) groupOf.set(student_id, merged)
  }
  const groups = [...new Set(groupOf.values())].filter(
    (group) => group.length > 1 && !haveGuardianInCommon(group),
  )
  return groups.map((group) => {
    const said = new Set(pairsOf(group).flatMap((pair) => [...(reasons.get(pair) ?? [])]))
    const all = group.toSorted(
      (a, b) => a.name.localeCompare(b.name, 'en') || (a.student_id < b.student_id ? -1 : 1),
    )
    return {
      students: all,
      reasons: FAMILY_REASONS.filter((reason) => said.has(reason)),
      guardian: commonGuardian(all, known),
    }
  })
}

const pairsOf = (group: Candidate[]) =>
  group.flatMap((one, index) =>
    group.slice(index + 1).map((other) => idOf(one.student_id, other.student_id)),
  )

/** For each two students with something in common, what that is; nothing for two who have a guardian in common. */
function pairsInCommon(candidates: Candidate[]): Map<string, Set<FamilyReason>> {
  const keyed = candidates.flatMap((one) =>
    keysOf(one).map(([reason, value]) => ({ reason, key: `${reason} ${value}`, one })),
  )
  const linked = candidates.flatMap((one) =>
    one.guardian_ids.map((id) => ({ reason: null, key: id, one })),
  )
  const found = new Map<string, Set<FamilyReason>>()
  for (const sharing of Map.groupBy([...linked, ...keyed], ({ key }) => key).values()) {
    const { reason } = sharing[0]!
    if (reason && sharing.length > LARGEST_FAMILY) continue
    for (const pair of pairsOf(sharing.map(({ one }) => one))) {
      const reasons = found.get(pair) ?? new Set()
      // Two with one number of their own have it for emergencies only in the sense of the other reason.
      if (reason && !(reason === 'emergency_phone' && reasons.has('phone'))) reasons.add(reason)
      found.set(pair, reasons)
    }
  }
  return found
}

const haveGuardianInCommon = (group: Candidate[]) =>
  group[0]!.guardian_ids.some((id) => group.every(({ guardian_ids }) => guardian_ids.includes(id)))

/** The guardian of most of them, else the emergency contact of most of them. */
function commonGuardian(group: Candidate[], known: KnownGuardian[]): FamilySuggestion['guardian'] {
  const existing = mostFrequent(group.flatMap(({ guardian_ids }) => guardian_ids))
  const guardian = known.find(({ id }) => id === existing)
  if (guardian) return guardian
  const name = mostFrequent(
    group.flatMap(({ emergency_contact_name }) => emergency_contact_name ?? []),
  )
  if (!name) return null
  const phone =
    group.find(({ emergency_contact_name: named }) => named === name)?.emergency_contact_phone ??
    null
  const letterboxes = group.flatMap(({ email }) => (email?.includes('+') ? letterbox(email) : []))
  return { id: null, name, phone, email: mostFrequent(letterboxes) ?? null }
}

function mostFrequent(values: string[]): string | undefined {
  const counts = [...Map.groupBy(values, (value) => value).values()]
  return counts.toSorted((one, other) => other.length - one.length)[0]?.[0]
}

/** What may be families of the dojo's students, by name. */
export async function listSuggestions(tx: Tx): Promise<FamilySuggestion[]> {
  const rows = await tx
    .select({
      student_id: students.id,
      name: students.name,
      email: students.email,
      phone_number: students.phone_number,
      emergency_contact_name: students.emergency_contact_name,
      emergency_contact_phone: students.emergency_contact_phone,
    })
    .from(students)
    .orderBy(asc(sql`lower(${students.name})`), asc(students.id))
  const links = await tx
    .select({
      student_id: guardianships.student_id,
      id: guardians.id,
      name: guardians.name,
      phone: guardians.phone,
      email: guardians.email,
    })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(isLive)
  const apart = await tx
    .select({ one: unrelatedStudents.student_id, other: unrelatedStudents.other_id })
    .from(unrelatedStudents)
  const linksOf = Map.groupBy(links, ({ student_id }) => student_id)
  const candidates = rows.map((row) => ({
    ...row,
    guardian_ids: (linksOf.get(row.student_id) ?? []).map(({ id }) => id),
  }))
  return suggestFamilies(
    candidates,
    links.map(({ student_id: _, ...guardian }) => guardian),
    apart,
  )
}

/** Notes for good that no two of these students are of one family; 404 for a student of another dojo. */
export async function dismissSuggestion(tx: Tx, caller: Member, ids: string[]): Promise<void> {
  const wanted = [...new Set(ids)].toSorted()
  const found = await tx
    .select({ id: students.id })
    .from(students)
    .where(equalsAny(students.id, wanted))
  if (found.length < wanted.length) throw notFound('Student')
  const pairs = wanted.flatMap((student_id, index) =>
    wanted.slice(index + 1).map((other_id) => ({ student_id, other_id })),
  )
  if (pairs.length > 0) await tx.insert(unrelatedStudents).values(pairs).onConflictDoNothing()
  await audit(tx, {
    actor_id: caller.id,
    dojo_id: caller.dojoId,
    action: 'family suggestion dismissed',
    details: { students: wanted.length },
  })
}
