import { pbkdf2, randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { eq } from 'drizzle-orm'
import { auditAct } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { isUniqueViolation } from '../db/database-errors.ts'
import type { Member } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid, notFound } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'
import { ensureSettings, hmac } from './secret.ts'
import { checkInPins } from './tables.ts'

const derive = promisify(pbkdf2)
/**
 * So many rounds take a tablet a twentieth of a second. They do not protect a PIN from somebody who has the tablet: a computer tries all
 * of four digits in three minutes and all of six in five hours, a graphics card in seconds. What protects is that a PIN opens no more
 * than a first name, an initial and a check-in of that day, and that a kiosk which has ended takes none.
 */
export const OFFLINE_ROUNDS = 100_000
const KEY_BYTES = 32

export const offlineSalt = (secret: string): string => hmac(secret, 'offline')
export const pinHash = (secret: string, pin: string): string => hmac(secret, 'pin', pin)

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
  const [found] = await tx
    .select({ id: checkInPins.student_id })
    .from(checkInPins)
    .where(eq(checkInPins.pin_hash, pinHash(secret, pin)))
  return found?.id
}

export const hasPin = async (tx: Tx, studentId: string): Promise<boolean> =>
  (await tx.$count(checkInPins, eq(checkInPins.student_id, studentId))) > 0

const TAKEN = 'Somebody else has this PIN. Please choose another.'

/** How many digits a new PIN has where so many students have one: a guess at a kiosk is right once in a hundred times at most. */
const LENGTHS = [
  { pins: 100, digits: 4 },
  { pins: 1000, digits: 5 },
  { pins: Infinity, digits: 6 },
]
const ATTEMPTS = 50

/** Gives a student a PIN that nobody has, and returns it; 404 for no student of the dojo. */
export async function givePin(tx: Tx, caller: Member, studentId: string): Promise<string> {
  const pins = await tx.$count(checkInPins)
  const { digits } = LENGTHS.find((length) => pins < length.pins)!
  const { secret } = await ensureSettings(tx)
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const pin = String(randomInt(10 ** digits)).padStart(digits, '0')
    if (await studentByPin(tx, secret, pin)) continue
    await setPin(tx, caller, studentId, pin)
    return pin
  }
  throw new Error('No PIN is free')
}

/** Sets a student's PIN, null removes it; 404 for no student of the dojo, 422 for a PIN that another student has. */
export async function setPin(
  tx: Tx,
  caller: Member,
  studentId: string,
  pin: string | null,
): Promise<void> {
  const [student] = await tx
    .select({ id: students.id })
    .from(students)
    .where(eq(students.id, studentId))
    .for('update')
  if (!student) throw notFound('Student')
  if (pin) await storePin(tx, studentId, pin)
  else await tx.delete(checkInPins).where(eq(checkInPins.student_id, studentId))
  await auditAct(tx, caller, 'check-in PIN changed', {
    subject_id: studentId,
    details: { removed: !pin },
  })
}

async function storePin(tx: Tx, student_id: string, pin: string): Promise<void> {
  const { secret } = await ensureSettings(tx)
  const owner = await studentByPin(tx, secret, pin)
  if (owner && owner !== student_id) throw invalid('pin', TAKEN)
  const row = {
    pin_hash: pinHash(secret, pin),
    offline_key: await offlineKey(secret, pin),
    changed_at: nowIso(),
  }
  await tx
    .insert(checkInPins)
    .values({ student_id, ...row })
    .onConflictDoUpdate({ target: [checkInPins.dojo_id, checkInPins.student_id], set: row })
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? invalid('pin', TAKEN) : error
    })
}
