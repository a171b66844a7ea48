import {
  type CONSENT_SOURCES,
  SOURCES_WITHOUT_SAY,
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

const CONSENTS_SHOWN = 20
const ALL_TOPICS = ['dues', 'classes', 'promotions']

const counts = isNull(textConsents.undone_at)

type NewConsent = {
  /** The id of the signed form, if there is one. */
  id?: string
  phone: string
  event: 'given' | 'revoked'
  source: (typeof CONSENT_SOURCES)[number]
  given_by?: string | null
  wording_version?: string
  address?: string
  recorded_by?: string
}

export const recordTextConsent = (tx: Tx, consent: NewConsent) =>
  tx.insert(textConsents).values({ topics: ALL_TOPICS, ...consent })

export async function newestConsent(tx: Tx, phone: string) {
  const [consent] = await tx
    .select(pick(textConsents, 'id', 'event', 'source', 'recorded_by'))
    .from(textConsents)
    .where(and(eq(textConsents.phone, phone), counts))
    .orderBy(desc(textConsents.id))
    .limit(1)
  return consent
}

export const undoConsent = (tx: Tx, id: string) =>
  tx.update(textConsents).set({ undone_at: nowIso() }).where(eq(textConsents.id, id))

export async function recordAgreement(
  tx: Tx,
  typedPhones: (string | null | undefined)[],
  consent: Omit<NewConsent, 'id' | 'phone' | 'event'>,
): Promise<void> {
  const phones = new Set(
    typedPhones
      .map((typedPhone) => validPhone(typedPhone ?? null))
      .filter((phone) => phone !== null),
  )
  for (const phone of phones) await recordTextConsent(tx, { ...consent, phone, event: 'given' })
}

/** For phones whose imported row says not to text them. Returns the new ids. */
export async function recordImportedOptOuts(
  tx: Tx,
  optOuts: { phone: string; words: string }[],
  recorded_by: string,
): Promise<string[]> {
  const withdrawnPhones = await withdrawnAmong(tx, pluck(optOuts, 'phone'))
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

/** Phones whose consent an instructor of this dojo recorded as ended. */
export async function withdrawnAmong(tx: Tx, phones: string[]): Promise<Set<string>> {
  const phoneOf = new Map(
    phones.flatMap((phone) => [phone, sha256(phone)].map((storedPhone) => [storedPhone, phone])),
  )
  const newest = await tx
    .selectDistinctOn([textConsents.phone], {
      id: textConsents.id,
      stored: textConsents.phone,
      event: textConsents.event,
    })
    .from(textConsents)
    .where(
      and(
        equalsAny(textConsents.phone, [...phoneOf.keys()]),
        notInArray(textConsents.source, [...SOURCES_WITHOUT_SAY]),
        counts,
      ),
    )
    .orderBy(textConsents.phone, desc(textConsents.id))
  const inOrder = newest.toSorted((first, second) => (first.id < second.id ? -1 : 1))
  const last = new Map(inOrder.map(({ stored, event }) => [phoneOf.get(stored), event]))
  return new Set(phones.filter((phone) => last.get(phone) === 'revoked'))
}

/** Ends of consent that were kept as a hash and apply again. Returns the phone by id. */
export async function keptOptOuts(tx: Tx, phones: readonly string[]): Promise<Map<string, string>> {
  const phoneByHash = new Map(phones.map((phone) => [sha256(phone), phone]))
  const rows = await tx
    .select({ id: textConsents.id, hash: textConsents.phone, event: textConsents.event })
    .from(textConsents)
    .where(
      and(
        equalsAny(textConsents.phone, [...phoneByHash.keys()]),
        notInArray(textConsents.source, [...SOURCES_WITHOUT_SAY]),
        counts,
      ),
    )
    .orderBy(desc(textConsents.id))
  const optOuts = new Map<string, string>()
  const agreedHashes = new Set<string>()
  for (const { id, hash, event } of rows) {
    if (event === 'given') agreedHashes.add(hash)
    const phone = phoneByHash.get(hash)
    if (phone !== undefined && !agreedHashes.has(hash)) optOuts.set(id, phone)
  }
  return optOuts
}

export const isConsentOf = (phones: readonly string[], optOuts: ReadonlyMap<string, string>) =>
  and(
    or(equalsAny(textConsents.phone, [...phones]), equalsAny(textConsents.id, [...optOuts.keys()])),
    counts,
  )

export const consentsOf = async (tx: Tx, phone: string): Promise<TextConsent[]> =>
  (await tx
    .select({
      ...pick(textConsents, 'id', 'event', 'source', 'given_by', 'topics', 'wording_version'),
      ...pick(textConsents, 'words', 'at'),
    })
    .from(textConsents)
    .where(isConsentOf([phone], await keptOptOuts(tx, [phone])))
    .orderBy(desc(textConsents.id))
    .limit(CONSENTS_SHOWN)) as TextConsent[]
