import { pbkdf2, randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { eq } from 'drizzle-orm'
import { auditAct } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { lockStudent } from '../guardians/guardianships.ts'
import type { Member } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid } from '../lib/refusal.ts'
import { ensureSettings, hmac } from './secret.ts'
import { checkInPins } from './tables.ts'

const derive = promisify(pbkdf2)
/**
 * So many rounds take a tablet a twentieth of a second. They do not protect a PIN from somebody who
 * has the tablet: a computer tries all of four digits in three minutes and all of six in five hours, a
 * graphics card in seconds. What protects is that a PIN opens no more than a first name, an initial
 * and a check-in of that day, and that a kiosk which has ended takes none.
 */
export const OFFLINE_ROUNDS = 100_000
const KEY_BYTES = 32

export const offlineSalt = (secret: string): string => hmac(secret, 'offline')
const pinHash = (secret: string, pin: string): string => hmac(secret, 'pin', pin)

const offlineKey = async (secret: string, pin: string) =>
  (await derive(pin, offlineSalt(secret), OFFLINE_ROUNDS, KEY_BYTES, 'sha256')).toString(
    'base64url',
  )

/** Whose PIN it is; undefined where nobody has it. */
export async function studentByPin(
  tx: Tx,
  secret: string,
  pin: string,
): Promise<string | undefined> {
  const [owner] = await tx
    .select({ id: checkInPins.student_id })
    .from(checkInPins)
    .where(eq(checkInPins.pin_hash, pinHash(secret, pin)))
  return owner?.id
}

export const hasPin = async (tx: Tx, studentId: string): Promise<boolean> =>
  (await tx.$count(checkInPins, eq(checkInPins.student_id, studentId))) > 0

const PIN_TAKEN = 'Somebody else has this PIN. Please choose another.'

/**
 * How many digits the server draws while the dojo has fewer PINs than `pins`. Drawn PINs are thus so
 * rare among all of their length that a guess is right once in a hundred times at most. PINs that
 * instructors choose may be shorter.
 */
const LENGTHS = [
  { pins: 100, digits: 4 },
  { pins: 1000, digits: 5 },
]
const LONGEST = 6
const ATTEMPTS = 50

/**
 * Draws a PIN for a student and returns it; 404 for no student of the dojo. A drawn PIN that somebody
 * has is drawn again, so that no family learns which PINs others have.
 */
export async function givePin(tx: Tx, caller: Member, studentId: string): Promise<string> {
  await lockStudent(tx, studentId)
  const pinCount = await tx.$count(checkInPins)
  const digits = LENGTHS.find(({ pins }) => pinCount < pins)?.digits ?? LONGEST
  const { secret } = await ensureSettings(tx)
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const pin = String(randomInt(10 ** digits)).padStart(digits, '0')
    if (await studentByPin(tx, secret, pin)) continue
    if (!(await storePin(tx, secret, studentId, pin))) continue
    await auditPin(tx, caller, studentId, { removed: false })
    return pin
  }
  throw new Error('No PIN is free')
}

/** Sets the PIN that an instructor chose; 404 for no student of the dojo, 422 if somebody has it. */
export async function setPin(
  tx: Tx,
  caller: Member,
  studentId: string,
  pin: string,
): Promise<void> {
  await lockStudent(tx, studentId)
  const { secret } = await ensureSettings(tx)
  if (!(await storePin(tx, secret, studentId, pin))) throw invalid('pin', PIN_TAKEN)
  await auditPin(tx, caller, studentId, { removed: false })
}

/** Removes a student's PIN, if there is one; 404 for no student of the dojo. */
export async function removePin(tx: Tx, caller: Member, studentId: string): Promise<void> {
  await lockStudent(tx, studentId)
  await deletePin(tx, studentId)
  await auditPin(tx, caller, studentId, { removed: true })
}

/**
 * Replaces the student's PIN, unless somebody else has it: then it returns false, and the student has
 * none. A conflict is no error here, because an error would end the transaction.
 */
async function storePin(tx: Tx, secret: string, studentId: string, pin: string): Promise<boolean> {
  await deletePin(tx, studentId)
  const storedPins = await tx
    .insert(checkInPins)
    .values({
      student_id: studentId,
      pin_hash: pinHash(secret, pin),
      offline_key: await offlineKey(secret, pin),
      changed_at: nowIso(),
    })
    .onConflictDoNothing()
    .returning({ student_id: checkInPins.student_id })
  return storedPins.length > 0
}

const deletePin = (tx: Tx, studentId: string) =>
  tx.delete(checkInPins).where(eq(checkInPins.student_id, studentId))

const auditPin = (tx: Tx, caller: Member, studentId: string, details: { removed: boolean }) =>
  auditAct(tx, caller, 'check-in PIN changed', { subject_id: studentId, details })
