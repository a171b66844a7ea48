import { REFERRAL_SOURCE } from '@tatami/contract/leads/referrals'
import type { Language } from '@tatami/contract/public-page/public-page'
import type { ContactPurpose } from '@tatami/contract/trials/trials'
import { asc, eq, or } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { guardianPhoneEnding, guardians } from '../guardians/tables.ts'
import { nowIso } from '../lib/clock.ts'
import { formatFullDate } from '../lib/format-day.ts'
import { validPhone } from '../lib/phone.ts'
import { leadSources, referralLinks } from '../leads/tables.ts'
import { firstRow } from '../lib/rows.ts'
import { sha256 } from '../lib/secrets.ts'
import { phoneEnding, students } from '../students/tables.ts'
import { wherePhoneEnding } from '../texting/phones.ts'
import type { LeadRow } from './bookings.ts'
import { leadConsents, leads } from './tables.ts'

/** The wording of the check boxes on the booking form (words.ts). */
const TRIAL_WORDING_VERSION = 'trial-2026-11-27'

/** How to reach somebody. The phone is in international form. */
export type Contact = { email: string | null; phone: string | null }

export type NewLead = Contact & {
  name: string
  is_for: 'self' | 'child'
  language: Language
  source: string
  purposes: ContactPurpose[]
}

/** The lead with exactly this contact, or a new one. Somebody else may have typed an email or a
 *  phone that is not theirs, so nothing is added to the contact of an existing lead. Staff decide
 *  whether two leads are one person. */
export async function findOrCreateLead(
  tx: Tx,
  newLead: NewLead,
  similarLeads: readonly LeadRow[],
): Promise<LeadRow> {
  const namedLead = { ...newLead, ...(await findSource(tx, newLead.source)) }
  const existingLead = similarLeads.find(
    ({ email, phone }) => email === newLead.email && phone === newLead.phone,
  )
  const lead = existingLead
    ? await refreshLead(tx, existingLead, namedLead)
    : await createLead(tx, namedLead)
  await recordConsents(tx, newLead)
  return lead
}

/** The leads with the same email or the same phone, oldest first. */
export const findSimilarLeads = (tx: Tx, { email, phone }: Contact): Promise<LeadRow[]> =>
  tx
    .select()
    .from(leads)
    .where(
      or(
        email === null ? undefined : eq(leads.email, email),
        phone === null ? undefined : eq(leads.phone, phone),
      ),
    )
    .orderBy(asc(leads.created_at), asc(leads.id))

/** The code of a source link stands for its name, and the link of a student for the student. */
async function findSource(
  tx: Tx,
  source: string,
): Promise<{ source: string; referred_by: string | null }> {
  const code = source.toLowerCase()
  const [leadSource] = await tx
    .select({ name: leadSources.name })
    .from(leadSources)
    .where(eq(leadSources.code, code))
  if (leadSource) return { source: leadSource.name, referred_by: null }
  const [referralLink] = await tx
    .select({ student_id: referralLinks.student_id })
    .from(referralLinks)
    .where(eq(referralLinks.code, code))
  if (!referralLink) return { source, referred_by: null }
  return { source: REFERRAL_SOURCE, referred_by: referralLink.student_id }
}

/** The first source stays. The last one is kept beside it. */
async function refreshLead(tx: Tx, lead: LeadRow, newLead: NewLead): Promise<LeadRow> {
  const rows = await tx
    .update(leads)
    .set({
      purposes: [...new Set([...lead.purposes, ...newLead.purposes])],
      last_source: newLead.source === lead.source ? null : newLead.source,
      last_active_at: nowIso(),
    })
    .where(eq(leads.id, lead.id))
    .returning()
  return firstRow(rows)
}

async function createLead(
  tx: Tx,
  newLead: NewLead & { referred_by: string | null },
): Promise<LeadRow> {
  const likelyPerson = await findLikelyPerson(tx, newLead)
  const rows = await tx
    .insert(leads)
    .values({
      ...newLead,
      likely_person_id: likelyPerson?.id ?? null,
      likely_person: likelyPerson?.description ?? null,
      last_active_at: nowIso(),
    })
    .returning()
  return firstRow(rows)
}

/** Consents are kept as proof after the lead is deleted, without the contact itself. */
async function recordConsents(tx: Tx, { email, phone, purposes }: NewLead): Promise<void> {
  const contacts = { service_text: phone, marketing: email }
  const rows = purposes.flatMap((purpose) => {
    const contact = contacts[purpose]
    return contact === null
      ? []
      : [{ purpose, contact_hash: sha256(contact), wording_version: TRIAL_WORDING_VERSION }]
  })
  if (rows.length > 0) await tx.insert(leadConsents).values(rows)
}

type LikelyPerson = { id: string; description: string }

/** A student or guardian who has the same email or phone. Only staff learn of it. */
export async function findLikelyPerson(tx: Tx, contact: Contact): Promise<LikelyPerson | null> {
  return (await findGuardian(tx, contact)) ?? (await findStudent(tx, contact))
}

async function findGuardian(tx: Tx, { email, phone }: Contact): Promise<LikelyPerson | null> {
  const rows = await tx
    .select({
      id: guardians.id,
      name: guardians.name,
      email: guardians.email,
      phone: guardians.phone,
    })
    .from(guardians)
    .where(
      or(
        email === null ? undefined : eq(guardians.email, email),
        phone === null ? undefined : wherePhoneEnding(guardianPhoneEnding, [phone]),
      ),
    )
    .orderBy(asc(guardians.created_at), asc(guardians.id))
  const guardian = rows.find((row) => hasContact(row, { email, phone }))
  return guardian ? { id: guardian.id, description: `${guardian.name}, guardian` } : null
}

async function findStudent(tx: Tx, { email, phone }: Contact): Promise<LikelyPerson | null> {
  const rows = await tx
    .select({
      id: students.id,
      name: students.name,
      email: students.email,
      phone: students.phone_number,
      left_on: students.left_on,
    })
    .from(students)
    .where(
      or(
        email === null ? undefined : eq(students.email, email),
        phone === null ? undefined : wherePhoneEnding(phoneEnding, [phone]),
      ),
    )
    .orderBy(asc(students.created_at), asc(students.id))
  const student = rows.find((row) => hasContact(row, { email, phone }))
  if (!student) return null
  const status = student.left_on === null ? 'student' : `left on ${formatFullDate(student.left_on)}`
  return { id: student.id, description: `${student.name}, ${status}` }
}

const hasContact = (person: Contact, { email, phone }: Contact): boolean =>
  (email !== null && person.email === email) ||
  (phone !== null && validPhone(person.phone) === phone)
