import type { OwnCheckIn, OwnCode } from '@tatami/contract/kiosk/kiosks'
import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { toDataURL } from 'qrcode'
import { accounts } from '../accounts/tables.ts'
import { auditAction } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { findVisibleStudents } from '../guardians/readers.ts'
import type { DojoCaller } from '../http/serve.ts'
import { notFound } from '../lib/refusal.ts'
import { hmac, isEqual } from '../lib/secrets.ts'
import { students } from '../students/tables.ts'
import { findSettings, removeHyphens, restoreHyphens } from './settings.ts'
import { checkInCodes, checkInPins, kiosks } from './tables.ts'
import { pick } from '../lib/rows.ts'

/** A check-in code is the account's id in 32 hexadecimal digits, followed by a signature. */
const ID_DIGITS = 32
const SIGNATURE_BYTES = 8

async function countRenewals(tx: Tx, accountId: string): Promise<number> {
  const [row] = await tx
    .select({ renewed: checkInCodes.renewed })
    .from(checkInCodes)
    .where(eq(checkInCodes.account_id, accountId))
  return row?.renewed ?? 0
}

/** Each renewal changes the signature, so that earlier codes stop working. */
function makeCode(secret: string, accountId: string, renewals: number): string {
  const signature = Buffer.from(hmac(secret, 'code', accountId, String(renewals)), 'base64url')
  const shortSignature = signature.subarray(0, SIGNATURE_BYTES).toString('hex')
  return `${removeHyphens(accountId)}${shortSignature}`.toUpperCase()
}

export async function makeCodes(
  tx: Tx,
  secret: string,
  accountIds: string[],
): Promise<{ account_id: string; code: string }[]> {
  const rows = await tx
    .select()
    .from(checkInCodes)
    .where(equalsAny(checkInCodes.account_id, accountIds))
  const renewalsByAccount = new Map(rows.map((row) => [row.account_id, row.renewed]))
  return accountIds.map((account_id) => ({
    account_id,
    code: makeCode(secret, account_id, renewalsByAccount.get(account_id) ?? 0),
  }))
}

/** Throws 404 for a wrong code. */
export async function findStudentsByCode(tx: Tx, secret: string, code: string): Promise<string[]> {
  const accountId = restoreHyphens(code.slice(0, ID_DIGITS))
  const renewals = await countRenewals(tx, accountId)
  if (!isEqual(code, makeCode(secret, accountId, renewals))) throw notFound('Code')
  const [account] = await tx
    .select(pick(accounts, 'id', 'role'))
    .from(accounts)
    .where(and(eq(accounts.id, accountId), eq(accounts.is_active, true)))
  const studentIds = account ? await findVisibleStudents(tx, account) : []
  if (studentIds.length === 0) throw notFound('Code')
  return studentIds
}

export const hasKiosk = async (tx: Tx): Promise<boolean> =>
  (await tx.$count(kiosks, and(isNull(kiosks.ended_at), isNotNull(kiosks.token_hash)))) > 0

export async function readOwnCheckIn(tx: Tx, caller: DojoCaller): Promise<OwnCheckIn> {
  const people = await tx
    .select({ student_id: students.id, name: students.name, pin_owner: checkInPins.student_id })
    .from(students)
    .leftJoin(checkInPins, eq(checkInPins.student_id, students.id))
    .where(equalsAny(students.id, await findVisibleStudents(tx, caller)))
    .orderBy(asc(students.name), asc(students.id))
  return {
    has_kiosk: await hasKiosk(tx),
    students: people.map(({ pin_owner, ...person }) => ({
      ...person,
      has_pin: pin_owner !== null,
    })),
  }
}

export async function readOwnCode(tx: Tx, caller: DojoCaller): Promise<OwnCode> {
  const settings = await findSettings(tx)
  if (!settings || !(await hasKiosk(tx)) || (await findVisibleStudents(tx, caller)).length === 0)
    throw notFound('Code')
  const code = makeCode(settings.secret, caller.id, await countRenewals(tx, caller.id))
  return { code, qr: await toDataURL(code, { margin: 2, width: 480 }) }
}

export async function renewCode(tx: Tx, caller: DojoCaller): Promise<void> {
  await tx
    .insert(checkInCodes)
    .values({ account_id: caller.id, renewed: 1 })
    .onConflictDoUpdate({
      target: [checkInCodes.dojo_id, checkInCodes.account_id],
      set: { renewed: sql`${checkInCodes.renewed} + 1` },
    })
  await auditAction(tx, caller, 'check-in code renewed', { subject_id: caller.id })
}
