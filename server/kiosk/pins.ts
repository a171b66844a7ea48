import { pbkdf2, randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { and, eq } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { lockStudent, requireCurrent } from '../guardians/guardianships.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid } from '../lib/refusal.ts'
import { isCurrentStudent, students } from '../students/tables.ts'
import { hmac } from '../lib/secrets.ts'
import { findOrCreateSettings } from './settings.ts'
import { checkInPins } from './tables.ts'

const derivePbkdf2 = promisify(pbkdf2)

/** These rounds take about 50 ms on a tablet. They are too few to protect the PINs on a stolen
 *  tablet, but a PIN only reveals a first name and an initial, and checks the student in. */
export const OFFLINE_ROUNDS = 100_000
const KEY_BYTES = 32

export const deriveOfflineSalt = (secret: string): string => hmac(secret, 'offline')
const hashPin = (secret: string, pin: string): string => hmac(secret, 'pin', pin)

const deriveOfflineKey = async (secret: string, pin: string) =>
  (
    await derivePbkdf2(pin, deriveOfflineSalt(secret), OFFLINE_ROUNDS, KEY_BYTES, 'sha256')
  ).toString('base64url')

export async function findStudentByPin(
  tx: Tx,
  secret: string,
  pin: string,
): Promise<string | undefined> {
  const [owner] = await tx
    .select({ id: checkInPins.student_id })
    .from(checkInPins)
    .innerJoin(students, eq(students.id, checkInPins.student_id))
    .where(and(eq(checkInPins.pin_hash, hashPin(secret, pin)), isCurrentStudent))
  return owner?.id
}

export const hasPin = async (tx: Tx, studentId: string): Promise<boolean> =>
  (await tx.$count(checkInPins, eq(checkInPins.student_id, studentId))) > 0

const PIN_TAKEN = 'Someone else has this PIN. Please choose another.'

/** The more PINs a dojo has, the longer new PINs are, so that at most 1% of guesses are right. */
const DIGITS_BY_PIN_COUNT = [
  { pins: 100, digits: 4 },
  { pins: 1000, digits: 5 },
]
const MAX_DIGITS = 6
const MAX_ATTEMPTS = 50

/** Draws a random PIN. Families cannot choose a PIN, because a refusal would tell them that someone
 *  else has it. */
export async function drawPin(tx: Tx, caller: DojoCaller, studentId: string): Promise<string> {
  requireCurrent(await lockStudent(tx, studentId))
  const pinCount = await tx.$count(checkInPins)
  const digits = DIGITS_BY_PIN_COUNT.find(({ pins }) => pinCount < pins)?.digits ?? MAX_DIGITS
  const { secret } = await findOrCreateSettings(tx)
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const pin = String(randomInt(10 ** digits)).padStart(digits, '0')
    if (await findStudentByPin(tx, secret, pin)) continue
    if (!(await storePin(tx, secret, studentId, pin))) continue
    await auditPin(tx, caller, studentId, { removed: false })
    return pin
  }
  throw new Error('Found no unused PIN')
}

export async function setPin(
  tx: Tx,
  caller: DojoCaller,
  studentId: string,
  pin: string,
): Promise<void> {
  requireCurrent(await lockStudent(tx, studentId))
  const { secret } = await findOrCreateSettings(tx)
  if (!(await storePin(tx, secret, studentId, pin))) throw invalid('pin', PIN_TAKEN)
  await auditPin(tx, caller, studentId, { removed: false })
}

export async function removePin(tx: Tx, caller: DojoCaller, studentId: string): Promise<void> {
  await lockStudent(tx, studentId)
  await deletePin(tx, studentId)
  await auditPin(tx, caller, studentId, { removed: true })
}

/** Returns false if someone else has the PIN. In this case, the student's old PIN is deleted
 *  anyway. */
async function storePin(tx: Tx, secret: string, studentId: string, pin: string): Promise<boolean> {
  await deletePin(tx, studentId)
  const storedPins = await tx
    .insert(checkInPins)
    .values({
      student_id: studentId,
      pin_hash: hashPin(secret, pin),
      offline_key: await deriveOfflineKey(secret, pin),
      changed_at: nowIso(),
    })
    .onConflictDoNothing()
    .returning({ student_id: checkInPins.student_id })
  return storedPins.length > 0
}

const deletePin = (tx: Tx, studentId: string) =>
  tx.delete(checkInPins).where(eq(checkInPins.student_id, studentId))

const auditPin = (tx: Tx, caller: DojoCaller, studentId: string, details: { removed: boolean }) =>
  auditAction(tx, caller, 'check-in PIN changed', { subject_id: studentId, details })
