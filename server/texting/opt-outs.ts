import { and, eq, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { sha256 } from '../lib/secrets.ts'
import { findWithdrawnPhones } from './consents.ts'
import { ownNumberOptOuts, phoneOptOuts, textingAccounts, undeliverablePhones } from './tables.ts'

/** One key for each number that cannot get texts: student id and phone, separated by a space. */
export async function listUndeliverableKeys(tx: Tx): Promise<Set<string>> {
  const rows = await tx
    .select({ id: undeliverablePhones.student_id, phone: undeliverablePhones.phone })
    .from(undeliverablePhones)
  return new Set(rows.map(({ id, phone }) => `${id} ${phone}`))
}

export type OptOutReason = 'replied_stop' | 'withdrawn'

/** A STOP to the server's number counts in every dojo, because several dojos may send from it. A
 *  STOP to a dojo's own number, and a withdrawal that an instructor recorded, count only there. */
export async function findOptOuts(tx: Tx, phones: string[]): Promise<Map<string, OptOutReason>> {
  const withdrawnPhones = await findWithdrawnPhones(tx, phones)
  const stoppedPhones = await findStoppedPhones(tx, phones)
  return new Map([
    ...[...withdrawnPhones].map((phone) => [phone, 'withdrawn'] as const),
    ...[...stoppedPhones.keys()].map((phone) => [phone, 'replied_stop'] as const),
  ])
}

/** Returns when each phone replied STOP. */
export async function findStoppedPhones(tx: Tx, phones: string[]): Promise<Map<string, string>> {
  const storedPhones = phones.flatMap(phoneAndHash)
  const stopRows = await tx
    .select({ phone: phoneOptOuts.phone, at: phoneOptOuts.created_at })
    .from(phoneOptOuts)
    .where(and(equalsAny(phoneOptOuts.phone, storedPhones), IS_STOP_IN_FORCE))
  const ownNumberRows = await tx
    .select()
    .from(ownNumberOptOuts)
    .where(equalsAny(ownNumberOptOuts.phone, storedPhones))
  const stops = new Map(stopRows.map(({ phone, at }) => [phone, at]))
  // The time is null after a START.
  const ownNumberStops = new Map(
    ownNumberRows.map((row) => [row.phone, row.is_opted_out ? row.changed_at : null]),
  )
  const stoppedPhones = new Map<string, string>()
  for (const phone of phones) {
    const ownNumberStop = findByPhoneOrHash(ownNumberStops, phone)
    const stoppedAt = ownNumberStop === undefined ? findByPhoneOrHash(stops, phone) : ownNumberStop
    if (stoppedAt) stoppedPhones.set(phone, stoppedAt)
  }
  return stoppedPhones
}

/** A STOP from the simulator does not stop texts that are really sent. */
const IS_STOP_IN_FORCE = sql`(not ${phoneOptOuts.simulated}
  or not exists (select from ${textingAccounts}))`

function findByPhoneOrHash<Value>(
  valueByPhone: ReadonlyMap<string, Value>,
  phone: string,
): Value | undefined {
  for (const storedPhone of phoneAndHash(phone)) {
    const value = valueByPhone.get(storedPhone)
    if (value !== undefined) return value
  }
  return undefined
}

/** A phone is stored as its hash once nobody has it anymore, so both forms must be looked up. */
export const phoneAndHash = (phone: string): string[] => [phone, sha256(phone)]

/** Keeps only a hash of the phone. The opt-out applies again if a dojo adds the phone. */
export async function hashOptOut(tx: Tx, phone: string): Promise<void> {
  const [optOutRow] = await tx.delete(phoneOptOuts).where(eq(phoneOptOuts.phone, phone)).returning()
  if (optOutRow)
    await tx
      .insert(phoneOptOuts)
      .values({ ...optOutRow, phone: sha256(phone) })
      .onConflictDoNothing()
}

/** Like `hashOptOut`, for a STOP to the dojo's own number. */
export async function hashOwnNumberOptOut(tx: Tx, phone: string): Promise<void> {
  const [optOutRow] = await tx
    .delete(ownNumberOptOuts)
    .where(eq(ownNumberOptOuts.phone, phone))
    .returning()
  if (optOutRow?.is_opted_out) await setOwnNumberOptOut(tx, sha256(phone), true)
}

async function setOwnNumberOptOut(tx: Tx, phone: string, is_opted_out: boolean): Promise<void> {
  const change = { is_opted_out, changed_at: nowIso() }
  await tx
    .insert(ownNumberOptOuts)
    .values({ phone, ...change })
    .onConflictDoUpdate({
      target: [ownNumberOptOuts.dojo_id, ownNumberOptOuts.phone],
      set: change,
    })
}

/** A simulated opt-out never replaces or ends a real one. An opt-out from the dojo's own number
 *  (`isOwnNumber`) changes nothing for other dojos. */
export type OptOutOptions = { simulated?: boolean; isOwnNumber?: boolean }

/** Returns false if the phone was already opted out. */
export async function optOut(
  tx: Tx,
  phone: string,
  { simulated = false, isOwnNumber = false }: OptOutOptions = {},
): Promise<boolean> {
  if (isOwnNumber) return optOutOfOwnNumber(tx, phone)
  const insert = tx.insert(phoneOptOuts).values({ phone, simulated })
  const insertion = simulated
    ? insert.onConflictDoNothing()
    : insert.onConflictDoUpdate({
        target: phoneOptOuts.phone,
        set: { simulated },
        setWhere: eq(phoneOptOuts.simulated, true),
      })
  return (await insertion.returning({ phone: phoneOptOuts.phone })).length > 0
}

/** Returns false if the phone was not opted out. */
export async function optIn(
  tx: Tx,
  phone: string,
  { simulated = false, isOwnNumber = false }: OptOutOptions = {},
): Promise<boolean> {
  if (isOwnNumber) return optInToOwnNumber(tx, phone)
  const condition = and(
    equalsAny(phoneOptOuts.phone, phoneAndHash(phone)),
    simulated ? eq(phoneOptOuts.simulated, true) : undefined,
  )
  return (
    (await tx.delete(phoneOptOuts).where(condition).returning({ phone: phoneOptOuts.phone }))
      .length > 0
  )
}

async function optOutOfOwnNumber(tx: Tx, phone: string): Promise<boolean> {
  const wasStopped = (await findStoppedPhones(tx, [phone])).has(phone)
  await setOwnNumberOptOut(tx, phone, true)
  return !wasStopped
}

async function optInToOwnNumber(tx: Tx, phone: string): Promise<boolean> {
  const wasStopped = (await findStoppedPhones(tx, [phone])).has(phone)
  if (!wasStopped) return false
  await tx.delete(ownNumberOptOuts).where(eq(ownNumberOptOuts.phone, sha256(phone)))
  await setOwnNumberOptOut(tx, phone, false)
  return true
}

/** For a dojo that gives up its own number: a START to that number no longer counts. */
export const forgetOwnNumberOptIns = (tx: Tx) =>
  tx.delete(ownNumberOptOuts).where(eq(ownNumberOptOuts.is_opted_out, false))

/** A START to the server's number also ends a STOP to the number that the dojo had before. */
export async function optInWithoutOwnNumber(tx: Tx, phone: string): Promise<void> {
  await tx
    .delete(ownNumberOptOuts)
    .where(
      and(
        equalsAny(ownNumberOptOuts.phone, phoneAndHash(phone)),
        sql`not exists (select from ${textingAccounts})`,
      ),
    )
}

export const deleteSimulatedOptOuts = (tx: Tx) =>
  tx.delete(phoneOptOuts).where(eq(phoneOptOuts.simulated, true))
