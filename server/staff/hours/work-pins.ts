import { randomInt } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { accounts } from '../../accounts/tables.ts'
import { auditAction } from '../../audit/audit.ts'
import type { Tx } from '../../db/database.ts'
import { todayOf } from '../../dojos/dojos.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { findOrCreateSettings, findSettings } from '../../kiosk/settings.ts'
import { nowIso } from '../../lib/clock.ts'
import { hmac } from '../../lib/secrets.ts'
import { instructors } from '../../sensei/tables.ts'
import { staffMembers } from '../tables.ts'
import { workPins } from './tables.ts'

/** Few people have work PINs, so five digits are hard enough to guess. */
const PIN_DIGITS = 5
const MAX_ATTEMPTS = 50

/** The hashes of students' PINs use another key, so equal PINs cannot be recognized. */
const hashPin = (secret: string, pin: string): string => hmac(secret, 'work-pin', pin)

export async function createWorkPin(tx: Tx, caller: DojoCaller): Promise<string> {
  const { secret } = await findOrCreateSettings(tx)
  await deleteWorkPin(tx, caller.id)
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const pin = String(randomInt(10 ** PIN_DIGITS)).padStart(PIN_DIGITS, '0')
    const storedPins = await tx
      .insert(workPins)
      .values({ person_id: caller.id, pin_hash: hashPin(secret, pin), changed_at: nowIso() })
      .onConflictDoNothing()
      .returning({ person_id: workPins.person_id })
    if (storedPins.length === 0) continue
    await auditAction(tx, caller, 'work PIN changed', { details: { removed: false } })
    return pin
  }
  throw new Error('Found no unused PIN')
}

export async function removeWorkPin(tx: Tx, caller: DojoCaller): Promise<void> {
  await deleteWorkPin(tx, caller.id)
  await auditAction(tx, caller, 'work PIN changed', { details: { removed: true } })
}

export const deleteWorkPin = (tx: Tx, personId: string) =>
  tx.delete(workPins).where(eq(workPins.person_id, personId))

export const hasWorkPin = async (tx: Tx, personId: string): Promise<boolean> =>
  (await tx.$count(workPins, eq(workPins.person_id, personId))) > 0

/** Finds only people who are on the staff today. */
export async function findWorkerByPin(
  tx: Tx,
  dojoId: string,
  pin: string,
): Promise<{ id: string; name: string } | undefined> {
  const settings = await findSettings(tx)
  if (!settings) return undefined
  const [worker] = await tx
    .select({
      id: instructors.id,
      name: instructors.name,
      starts_on: staffMembers.starts_on,
      ends_on: staffMembers.ends_on,
    })
    .from(workPins)
    .innerJoin(instructors, eq(instructors.id, workPins.person_id))
    .innerJoin(staffMembers, eq(staffMembers.instructor_id, workPins.person_id))
    .innerJoin(accounts, eq(accounts.id, workPins.person_id))
    .where(
      and(
        eq(workPins.pin_hash, hashPin(settings.secret, pin)),
        isNull(staffMembers.ended_at),
        eq(accounts.is_active, true),
      ),
    )
  if (!worker) return undefined
  const today = await todayOf(tx, dojoId)
  const { id, name, starts_on, ends_on } = worker
  const isOnStaffToday = (starts_on ?? today) <= today && today <= (ends_on ?? today)
  return isOnStaffToday ? { id, name } : undefined
}
