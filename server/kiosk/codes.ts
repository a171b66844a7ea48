import type { OwnCheckIn, OwnCode } from '@tatami/contract/kiosk/kiosks'
import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { toDataURL } from 'qrcode'
import { accounts } from '../accounts/tables.ts'
import { auditAction } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { studentsSeenBy } from '../guardians/readers.ts'
import type { Member } from '../http/serve.ts'
import { notFound } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'
import { findSettings, hmac, isEqual, packId, unpackId } from './secret.ts'
import { checkInCodes, checkInPins, kiosks } from './tables.ts'
import { pick } from '../lib/rows.ts'

const ID_LETTERS = 32,
  MAC_BYTES = 8

async function renewedOf(tx: Tx, accountId: string): Promise<number> {
  const [row] = await tx
    .select({ renewed: checkInCodes.renewed })
    .from(checkInCodes)
    .where(eq(checkInCodes.account_id, accountId))
  return row?.renewed ?? 0
}

function codeOf(secret: string, accountId: string, renewals: number): string {
  const mac = Buffer.from(hmac(secret, 'code', accountId, String(renewals)), 'base64url').subarray(
    0,
    MAC_BYTES,
  )
  return `${packId(accountId)}${mac.toString('hex')}`.toUpperCase()
}

export async function codesOf(
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
    code: codeOf(secret, account_id, renewalsByAccount.get(account_id) ?? 0),
  }))
}

export async function studentsOfCode(tx: Tx, secret: string, code: string): Promise<string[]> {
  const accountId = unpackId(code.slice(0, ID_LETTERS))
  const renewals = await renewedOf(tx, accountId)
  const [account] = isEqual(code, codeOf(secret, accountId, renewals))
    ? await tx
        .select(pick(accounts, 'id', 'role'))
        .from(accounts)
        .where(and(eq(accounts.id, accountId), eq(accounts.is_active, true)))
    : []
  const studentIds = account ? await studentsSeenBy(tx, account) : []
  if (studentIds.length === 0) throw notFound('Code')
  return studentIds
}

export const hasKiosk = async (tx: Tx): Promise<boolean> =>
  (await tx.$count(kiosks, and(isNull(kiosks.ended_at), isNotNull(kiosks.token_hash)))) > 0

export async function ownCheckIn(tx: Tx, caller: Member): Promise<OwnCheckIn> {
  const people = await tx
    .select({ student_id: students.id, name: students.name, pin_of: checkInPins.student_id })
    .from(students)
    .leftJoin(checkInPins, eq(checkInPins.student_id, students.id))
    .where(equalsAny(students.id, await studentsSeenBy(tx, caller)))
    .orderBy(asc(students.name), asc(students.id))
  return {
    has_kiosk: await hasKiosk(tx),
    students: people.map(({ pin_of, ...person }) => ({ ...person, has_pin: pin_of !== null })),
  }
}

export async function ownCode(tx: Tx, caller: Member): Promise<OwnCode> {
  const settings = await findSettings(tx)
  if (!settings || !(await hasKiosk(tx)) || (await studentsSeenBy(tx, caller)).length === 0)
    throw notFound('Code')
  const code = codeOf(settings.secret, caller.id, await renewedOf(tx, caller.id))
  return { code, qr: await toDataURL(code, { margin: 2, width: 480 }) }
}

export async function renewCode(tx: Tx, caller: Member): Promise<void> {
  await tx
    .insert(checkInCodes)
    .values({ account_id: caller.id, renewed: 1 })
    .onConflictDoUpdate({
      target: [checkInCodes.dojo_id, checkInCodes.account_id],
      set: { renewed: sql`${checkInCodes.renewed} + 1` },
    })
  await auditAction(tx, caller, 'check-in code renewed', { subject_id: caller.id })
}
