import type { Kiosks } from '@tatami/contract/kiosk/kiosks'
import { KIOSK_PATH, LINK_MINUTES } from '@tatami/contract/kiosk/kiosks'
import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { toDataURL } from 'qrcode'
import { accounts } from '../accounts/tables.ts'
import { auditAction } from '../audit/audit.ts'
import { newId } from '../db/columns.ts'
import type { Database, Tx } from '../db/database.ts'
import type { Kiosk, DojoCaller } from '../http/serve.ts'
import { now, nowIso } from '../lib/clock.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { newSecret, sha256 } from '../lib/secrets.ts'
import { staffMembers } from '../staff/tables.ts'
import { isCurrentStudent, students } from '../students/tables.ts'
import { findOrCreateSettings, findSettings } from './settings.ts'
import { checkInPins, kiosks, kioskSettings } from './tables.ts'
import { pick } from '../lib/rows.ts'

const LAST_USED_PRECISION_MS = 60_000

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** Tokens and codes begin with the dojo's id, so that the kiosk can be looked up in its dojo. */
const TOKEN = new RegExp(`^kiosk-(${UUID})-[\\w-]{43}$`)
const LINK_CODE = new RegExp(`^(${UUID})\\.[\\w-]+$`)

const createKioskToken = (dojoId: string): string => `kiosk-${dojoId}-${newSecret()}`
export const readDojoOfToken = (token: string): string | undefined => TOKEN.exec(token)?.[1]

/** True if the person who set up the kiosk is still on the staff and may set up kiosks. */
const isCreatorAllowed = and(
  isNull(staffMembers.ended_at),
  or(staffMembers.is_owner, sql`'kiosk' = any (${staffMembers.rights})`),
)

/** Runs for every request, so ending a kiosk takes effect immediately on every server. A kiosk shows
 *  only the classes that the person who set it up may see. */
export async function findKiosk(tx: Tx, dojoId: string, token: string): Promise<Kiosk | null> {
  const [row] = await tx
    .select({ ...pick(kiosks, 'id', 'last_used_at'), classIds: staffMembers.class_ids })
    .from(kiosks)
    .innerJoin(accounts, eq(accounts.id, kiosks.created_by))
    .innerJoin(staffMembers, eq(staffMembers.instructor_id, kiosks.created_by))
    .where(
      and(
        eq(kiosks.token_hash, sha256(token)),
        isNull(kiosks.ended_at),
        eq(accounts.is_active, true),
        isCreatorAllowed,
      ),
    )
  if (!row) return null
  const lastUsedMs = row.last_used_at === null ? 0 : Date.parse(row.last_used_at)
  if (now().getTime() - lastUsedMs > LAST_USED_PRECISION_MS)
    await tx.update(kiosks).set({ last_used_at: nowIso() }).where(eq(kiosks.id, row.id))
  return { id: row.id, role: 'kiosk', dojoId, step: null, classIds: row.classIds }
}

/** Staff who see only their own classes manage only the kiosks that they set up themselves. */
const isManagedBy = ({ id, staff }: DojoCaller): SQL | undefined =>
  staff?.classIds ? eq(kiosks.created_by, id) : undefined

export async function listKiosks(tx: Tx, caller: DojoCaller): Promise<Kiosks> {
  const isActive = and(
    isNull(kiosks.ended_at),
    or(isNotNull(kiosks.token_hash), gt(kiosks.link_expires_at, nowIso())),
  )
  const rows = await tx
    .select(pick(kiosks, 'id', 'name', 'created_at', 'last_used_at', 'link_expires_at'))
    .from(kiosks)
    .where(and(isActive, isManagedBy(caller)))
    .orderBy(asc(kiosks.created_at), asc(kiosks.id))
  return {
    kiosks: rows,
    asks_pin: (await findSettings(tx))?.asks_pin ?? false,
    with_pin: await tx.$count(
      checkInPins,
      inArray(
        checkInPins.student_id,
        tx.select({ id: students.id }).from(students).where(isCurrentStudent),
      ),
    ),
    students: await tx.$count(students, isCurrentStudent),
  }
}

export async function createKiosk(
  tx: Tx,
  caller: Pick<DojoCaller, 'id' | 'dojoId'>,
  name: string,
): Promise<{ token: string; name: string }> {
  const token = createKioskToken(caller.dojoId)
  const id = newId()
  await findOrCreateSettings(tx)
  await tx.insert(kiosks).values({ id, name, token_hash: sha256(token), created_by: caller.id })
  await auditAction(tx, caller, 'kiosk switched on', { details: { kiosk: name } })
  return { token, name }
}

/** The code comes after #, so browsers do not send it with the request for the page. */
export async function createLink(tx: Tx, caller: DojoCaller, name: string, publicUrl: string) {
  const code = `${caller.dojoId}.${newSecret()}`
  const expires_at = new Date(now().getTime() + LINK_MINUTES * 60_000).toISOString()
  await findOrCreateSettings(tx)
  await tx
    .delete(kiosks)
    .where(
      and(
        isNull(kiosks.token_hash),
        isNull(kiosks.ended_at),
        lte(kiosks.link_expires_at, nowIso()),
      ),
    )
  await tx
    .insert(kiosks)
    .values({ name, link_hash: sha256(code), link_expires_at: expires_at, created_by: caller.id })
  await auditAction(tx, caller, 'kiosk link made', { details: { kiosk: name } })
  const link = `${publicUrl}${KIOSK_PATH}#${code}`
  return { link, qr: await toDataURL(link, { margin: 1, width: 320 }), expires_at }
}

const LINK_NOT_VALID = 'This link is no longer valid. Make a new one in Settings, under Kiosk.'

/** Switches on a kiosk with the code of a link. A code works only once. */
export async function switchOn(
  db: Database,
  code: string,
): Promise<{ token: string; name: string }> {
  const dojoId = LINK_CODE.exec(code)?.[1]
  if (!dojoId) throw new Refusal(400, LINK_NOT_VALID)
  return db.inDojo(dojoId, async (tx) => {
    const token = createKioskToken(dojoId)
    const [kiosk] = await tx
      .update(kiosks)
      .set({ token_hash: sha256(token), link_hash: null, link_expires_at: null })
      .where(
        and(
          eq(kiosks.link_hash, sha256(code)),
          gt(kiosks.link_expires_at, nowIso()),
          isNull(kiosks.ended_at),
        ),
      )
      .returning(pick(kiosks, 'name', 'created_by'))
    if (!kiosk) throw new Refusal(400, LINK_NOT_VALID)
    await auditAction(tx, { id: kiosk.created_by, dojoId }, 'kiosk switched on', {
      details: { kiosk: kiosk.name },
    })
    return { token, name: kiosk.name }
  })
}

export async function endKiosk(tx: Tx, caller: DojoCaller, id: string): Promise<void> {
  const [kiosk] = await tx
    .update(kiosks)
    .set({ token_hash: null, link_hash: null, link_expires_at: null, ended_at: nowIso() })
    .where(and(eq(kiosks.id, id), isNull(kiosks.ended_at), isManagedBy(caller)))
    .returning({ name: kiosks.name })
  if (!kiosk) throw notFound('Kiosk')
  await auditAction(tx, caller, 'kiosk ended', { details: { kiosk: kiosk.name } })
}

export async function setAsksPin(
  tx: Tx,
  caller: DojoCaller,
  asks_pin: boolean,
): Promise<{ asks_pin: boolean }> {
  if (caller.staff?.classIds)
    throw new Refusal(403, 'This setting affects all classes. Ask someone who can see all of them.')
  await findOrCreateSettings(tx)
  await tx.update(kioskSettings).set({ asks_pin })
  await auditAction(tx, caller, 'kiosk settings changed', { details: { asks_pin } })
  return { asks_pin }
}
