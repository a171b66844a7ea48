import {
  type CONSENT_SOURCES,
  NON_DECISIVE_SOURCES,
  type TextConsent,
} from '@tatami/contract/texting/phones'
import { and, desc, eq, isNull, notInArray, or } from 'drizzle-orm'
import { textConsents } from '../consent/tables.ts'
import { equalsAny, inChunks } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { validPhone } from '../lib/phone.ts'
import { pick, pluck } from '../lib/rows.ts'
import { sha256 } from '../lib/secrets.ts'

const MAX_LISTED_CONSENTS = 20
const ALL_TOPICS = ['dues', 'classes', 'promotions']

const isNotUndone = isNull(textConsents.undone_at)

type NewConsent = {
  /** The id of the signed form, if there is one. */
  id?: string
  phone: string
  event: 'given' | 'revoked'
  source: (typeof CONSENT_SOURCES)[number]
  given_by?: string | null
  wording_version?: string
  /** The IP address from which the form was sent. */
  address?: string
  recorded_by?: string
}

export const recordTextConsent = (tx: Tx, consent: NewConsent) =>
  tx.insert(textConsents).values({ topics: ALL_TOPICS, ...consent })

export async function findNewestConsent(tx: Tx, phone: string) {
  const [consent] = await tx
    .select(pick(textConsents, 'id', 'event', 'source', 'recorded_by'))
    .from(textConsents)
    .where(and(eq(textConsents.phone, phone), isNotUndone))
    .orderBy(desc(textConsents.id))
    .limit(1)
  return consent
}

export const undoConsent = (tx: Tx, id: string) =>
  tx.update(textConsents).set({ undone_at: nowIso() }).where(eq(textConsents.id, id))

/** Records that people agreed to texts on their phones. Skips phones that are not valid. */
export async function recordAgreement(
  tx: Tx,
  phonesAsTyped: (string | null | undefined)[],
  consent: Omit<NewConsent, 'id' | 'phone' | 'event'>,
): Promise<void> {
  const phones = new Set(
    phonesAsTyped.map((phone) => validPhone(phone ?? null)).filter((phone) => phone !== null),
  )
  for (const phone of phones) await recordTextConsent(tx, { ...consent, phone, event: 'given' })
}

/** Records opt-outs from an import, except for phones that have already opted out. Returns the ids
 *  of the new records. */
export async function recordImportedOptOuts(
  tx: Tx,
  optOuts: { phone: string; words: string }[],
  recorded_by: string,
): Promise<string[]> {
  const withdrawnPhones = await findWithdrawnPhones(tx, pluck(optOuts, 'phone'))
  const rows = optOuts
    .filter(({ phone }) => !withdrawnPhones.has(phone))
    .map((optOut) => ({
      ...optOut,
      id: newId(),
      event: 'revoked' as const,
      source: 'import' as const,
      topics: ALL_TOPICS,
      recorded_by,
    }))
  await inChunks(rows, (chunk) => tx.insert(textConsents).values(chunk))
  return pluck(rows, 'id')
}

/** Finds the phones whose owners withdrew their consent. A consent may be stored under the phone or
 *  under its hash. */
export async function findWithdrawnPhones(tx: Tx, phones: string[]): Promise<Set<string>> {
  const phoneByStoredValue = new Map(
    phones.flatMap((phone): [string, string][] => [
      [phone, phone],
      [sha256(phone), phone],
    ]),
  )
  const newestRecords = await tx
    .selectDistinctOn([textConsents.phone], {
      id: textConsents.id,
      storedPhone: textConsents.phone,
      event: textConsents.event,
    })
    .from(textConsents)
    .where(
      and(
        equalsAny(textConsents.phone, [...phoneByStoredValue.keys()]),
        notInArray(textConsents.source, [...NON_DECISIVE_SOURCES]),
        isNotUndone,
      ),
    )
    .orderBy(textConsents.phone, desc(textConsents.id))
  const recordsInOrder = newestRecords.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const lastEventByPhone = new Map(
    recordsInOrder.map(({ storedPhone, event }) => [phoneByStoredValue.get(storedPhone), event]),
  )
  return new Set(phones.filter((phone) => lastEventByPhone.get(phone) === 'revoked'))
}

/** Finds withdrawals that are stored under the hash of a phone, because the dojo once deleted the
 *  phone. Returns the phone by consent id. */
export async function findHashedWithdrawals(
  tx: Tx,
  phones: readonly string[],
): Promise<Map<string, string>> {
  const phoneByHash = new Map(phones.map((phone) => [sha256(phone), phone]))
  const rows = await tx
    .select({ id: textConsents.id, hash: textConsents.phone, event: textConsents.event })
    .from(textConsents)
    .where(
      and(
        equalsAny(textConsents.phone, [...phoneByHash.keys()]),
        notInArray(textConsents.source, [...NON_DECISIVE_SOURCES]),
        isNotUndone,
      ),
    )
    .orderBy(desc(textConsents.id))
  const withdrawals = new Map<string, string>()
  // The rows are newest first, so a consent cancels the withdrawals that follow it here.
  const agreedHashes = new Set<string>()
  for (const { id, hash, event } of rows) {
    if (event === 'given') agreedHashes.add(hash)
    const phone = phoneByHash.get(hash)
    if (phone !== undefined && !agreedHashes.has(hash)) withdrawals.set(id, phone)
  }
  return withdrawals
}

/** A condition for the consents of these phones. `hashedWithdrawals` comes from
 *  `findHashedWithdrawals`. */
export const whereConsentOf = (
  phones: readonly string[],
  hashedWithdrawals: ReadonlyMap<string, string>,
) =>
  and(
    or(
      equalsAny(textConsents.phone, [...phones]),
      equalsAny(textConsents.id, [...hashedWithdrawals.keys()]),
    ),
    isNotUndone,
  )

export const listConsents = async (tx: Tx, phone: string): Promise<TextConsent[]> =>
  (await tx
    .select({
      ...pick(textConsents, 'id', 'event', 'source', 'given_by', 'topics', 'wording_version'),
      ...pick(textConsents, 'words', 'at'),
    })
    .from(textConsents)
    .where(whereConsentOf([phone], await findHashedWithdrawals(tx, [phone])))
    .orderBy(desc(textConsents.id))
    .limit(MAX_LISTED_CONSENTS)) as TextConsent[]
