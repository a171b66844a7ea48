import { mustExist } from '@tatami/contract/lib/must-exist'
import { rightsOfPreset } from '@tatami/contract/rights'
import { and, eq, isNull, or } from 'drizzle-orm'
import { requireAccount } from '../accounts/accounts.ts'
import { confirmCallerPassword } from '../accounts/confirm-owner.ts'
import { checkSecondFactor } from '../accounts/second-factor.ts'
import { publishAccountChange, requireLiveSession } from '../accounts/sessions.ts'
import { auditAction } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Database, Tx } from '../db/database.ts'
import { dojoById } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import type { Email, Mailer } from '../lib/mail.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { pluck } from '../lib/rows.ts'
import { notify } from '../notifications/notify.ts'
import { notifications } from '../notifications/tables.ts'
import { readLetterhead } from '../pictures/pictures.ts'
import { instructors } from '../sensei/tables.ts'
import { requireOwner, type StaffRow } from './grant-rules.ts'
import { readStaffPerson } from './staff-list.ts'
import { staffMembers } from './tables.ts'

type Confirmation = { current_password: string; code?: string | undefined }
type OwnershipContext = { db: Database; mail: Mailer; failedSignIns: number }

/** Makes a person an owner. With `hands_over`, the caller becomes an instructor. */
export function makeOwner(
  context: OwnershipContext,
  caller: DojoCaller,
  id: string,
  { hands_over = false, ...confirmation }: Confirmation & { hands_over?: boolean | undefined },
): Promise<void> {
  return changeOwners(context, caller, id, confirmation, async (tx) => {
    const { owners, member } = await lockOwnersAndMember(tx, caller, id)
    if (member.is_owner) throw new Refusal(409, 'They are already an owner')
    await requireAdult(tx, caller, member)
    await promoteToOwner(tx, caller, id)
    if (hands_over) await demoteToInstructor(tx, caller, caller.id)
    return {
      affectedIds: [...owners, id],
      newOwnerId: id,
      formerOwnerId: hands_over ? caller.id : null,
    }
  })
}

export const LAST_OWNER = 'A school needs an owner. Make somebody else an owner first.'

/** Refuses to remove the last owner with 409, even if two owners remove each other
 *  simultaneously. */
export function removeOwner(
  context: OwnershipContext,
  caller: DojoCaller,
  id: string,
  confirmation: Confirmation,
): Promise<void> {
  return changeOwners(context, caller, id, confirmation, async (tx) => {
    const { owners, member } = await lockOwnersAndMember(tx, caller, id)
    if (!member.is_owner) throw new Refusal(409, 'They are not an owner')
    if (owners.length === 1) throw new Refusal(409, LAST_OWNER)
    await demoteToInstructor(tx, caller, id)
    return { affectedIds: owners, newOwnerId: null, formerOwnerId: id }
  })
}

type OwnerChange = {
  /** Everybody who was or is an owner. */
  affectedIds: string[]
  newOwnerId: string | null
  formerOwnerId: string | null
}

/** Checks the password and second factor, makes the change, and notifies the owners. */
async function changeOwners(
  { db, mail, failedSignIns }: OwnershipContext,
  caller: DojoCaller,
  id: string,
  { current_password, code }: Confirmation,
  change: (tx: Tx) => Promise<OwnerChange>,
): Promise<void> {
  requireOwner(caller)
  await db.inDojo(caller.dojoId, (tx) => readStaffPerson(tx, caller.dojoId, id))
  await confirmCallerPassword(db, caller, current_password, failedSignIns)
  const refusal = await db.withoutDojo(async (tx) =>
    checkSecondFactor(tx, await requireAccount(tx, caller.id), code, failedSignIns),
  )
  if (refusal) throw refusal
  const emails = await db.inDojo(caller.dojoId, async (tx) => {
    await requireLiveSession(tx, caller)
    return announceOwnerChange(tx, caller.dojoId, await change(tx))
  })
  emails.forEach(mail.send)
}

/** Locks all owners, so that two calls cannot remove the last two owners. */
async function lockOwnersAndMember(
  tx: Tx,
  caller: DojoCaller,
  id: string,
): Promise<{ owners: string[]; member: StaffRow }> {
  const rows = await tx
    .select()
    .from(staffMembers)
    .where(or(eq(staffMembers.is_owner, true), eq(staffMembers.instructor_id, id)))
    .orderBy(staffMembers.instructor_id)
    .for('update')
  const owners = pluck(
    rows.filter(({ is_owner }) => is_owner),
    'instructor_id',
  )
  // The caller may have stopped being an owner since the call began.
  if (!owners.includes(caller.id)) throw new Refusal(403, 'Only an owner can do this.')
  const member = rows.find(({ instructor_id }) => instructor_id === id)
  if (!member || member.ended_at !== null) throw notFound('Member of the staff')
  return { owners, member }
}

async function requireAdult(tx: Tx, { dojoId }: DojoCaller, { instructor_id }: StaffRow) {
  const { is_minor } = await readStaffPerson(tx, dojoId, instructor_id)
  if (is_minor) throw new Refusal(409, 'An owner must be at least 18')
}

async function promoteToOwner(tx: Tx, caller: DojoCaller, id: string): Promise<void> {
  await tx
    .update(staffMembers)
    .set({ is_owner: true, preset: null, class_ids: null, starts_on: null, ends_on: null })
    .where(eq(staffMembers.instructor_id, id))
  await publishAccountChange(tx, id)
  await auditAction(tx, caller, 'owner made', { subject_id: id })
}

/** A former owner is an instructor until somebody changes their rights. */
async function demoteToInstructor(tx: Tx, caller: DojoCaller, id: string): Promise<void> {
  await tx
    .update(staffMembers)
    .set({ is_owner: false, preset: 'instructor', rights: rightsOfPreset('instructor') })
    .where(eq(staffMembers.instructor_id, id))
  await hideOldNotifications(tx, id)
  await publishAccountChange(tx, id)
  await auditAction(tx, caller, 'ownership ended', { subject_id: id })
}

/** Old notifications have no `needed_right`, because every instructor used to see everything. A
 *  former owner must not keep them. */
const hideOldNotifications = (tx: Tx, accountId: string) =>
  tx
    .update(notifications)
    .set({ needed_right: 'staff' })
    .where(
      and(
        eq(notifications.account_id, accountId),
        isNull(notifications.needed_right),
        isNull(notifications.announcement_id),
        isNull(notifications.template),
        eq(notifications.is_about_fees, false),
      ),
    )

/** Notifies everybody who was or is an owner. Returns emails to send after the commit. */
async function announceOwnerChange(
  tx: Tx,
  dojoId: string,
  { affectedIds, newOwnerId, formerOwnerId }: OwnerChange,
): Promise<Email[]> {
  const people = await tx
    .select({ id: instructors.id, name: instructors.name, email: instructors.email })
    .from(instructors)
    .where(equalsAny(instructors.id, affectedIds))
  const findName = (id: string) =>
    mustExist(
      people.find((person) => person.id === id),
      'The owner',
    ).name
  const { name: dojoName } = await dojoById(tx, dojoId)
  const letterhead = await readLetterhead(tx)
  const message = [
    ...(newOwnerId ? [`${findName(newOwnerId)} is now an owner of ${dojoName}.`] : []),
    ...(formerOwnerId ? [`${findName(formerOwnerId)} is no longer an owner of ${dojoName}.`] : []),
  ].join(' ')
  await notify(tx, dojoId, affectedIds, { title: 'Owners changed', message })
  return people.map(({ email }) => ({
    to: email,
    letterhead,
    subject: `The owners of ${dojoName} have changed`,
    text: `${message}\n\nIf you did not expect this, please talk to the other owners.`,
  }))
}
