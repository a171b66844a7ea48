import type { ProfileUpdate } from '@tatami/contract/profile/profile'
import { eq } from 'drizzle-orm'
import { requireAccount, changeEmail, changePasswordHash } from '../accounts/accounts.ts'
import { auditAction } from '../audit/audit.ts'
import { WRONG_PASSWORD } from '../accounts/confirm-owner.ts'
import { confirmPassword } from '../accounts/sign-in-throttle.ts'
import {
  refuseCommonPassword,
  refusePersonalPasswordOfAccount,
} from '../accounts/password-rules.ts'
import { hashPassword, requesterByAccount } from '../accounts/passwords.ts'
import { requireAllowedEmail } from '../accounts/staff-caller.ts'
import { requireLiveSession, type Sessions } from '../accounts/sessions.ts'
import { changeDojo, dojoById } from '../dojos/dojos.ts'
import type { Database, Tx } from '../db/database.ts'
import { updateOwnGuardianRecord } from '../families/guardian-accounts.ts'
import type { Mailer } from '../lib/mail.ts'
import { Refusal } from '../lib/refusal.ts'
import { type Caller, type DojoCaller, requireRight } from '../http/serve.ts'
import { instructors } from '../sensei/tables.ts'
import { firstRow } from '../lib/rows.ts'
import { notifyAccountChange } from './notify-account-change.ts'

type MailSettings = { mail: Mailer; publicUrl: string }

/** Ends all sessions of the account (docs/modules/accounts.md). */
export async function changeProfile(
  db: Database,
  sessions: Sessions,
  { mail, publicUrl }: MailSettings,
  caller: DojoCaller,
  { email, phone_number, dojo_name, password, ...dojo }: ProfileUpdate,
): Promise<void> {
  if (password) await refuseCommonPassword(db, 'password', password)
  const password_hash = password
    ? await hashPassword(password, requesterByAccount(caller.id))
    : null
  const recoveryMail = await db.inDojo(caller.dojoId, async (tx) => {
    await requireLiveSession(tx, caller)
    const account = await requireAccount(tx, caller.id)
    await requireAllowedEmail(tx, caller.id, email)
    await changeEmail(tx, caller.id, email)
    if (phone_number !== undefined) await changeOwnPhone(tx, caller, phone_number)
    await changeDojoIfAllowed(tx, caller, { name: dojo_name, ...dojo })
    if (password) await refusePersonalPasswordOfAccount(tx, caller.id, 'password', password)
    if (password_hash) await changePasswordHash(tx, caller.id, password_hash)
    await sessions.endSessionsOfAccount(
      tx,
      caller.id,
      password_hash ? 'password-changed' : 'profile-changed',
    )
    return notifyAccountChange(tx, mail, publicUrl, account, {
      email: email !== account.email,
      password: password_hash !== null,
    })
  })
  if (recoveryMail) mail.send(recoveryMail)
}

/** If the caller is also a guardian, the phone of the guardian record changes too. */
async function changeOwnPhone(
  tx: Tx,
  caller: DojoCaller,
  phone_number: string | null,
): Promise<void> {
  const isCaller = eq(instructors.id, caller.id)
  const rows = await tx.select().from(instructors).where(isCaller).for('no key update')
  const instructor = firstRow(rows)
  await tx.update(instructors).set({ phone_number }).where(isCaller)
  await updateOwnGuardianRecord(tx, instructor, { phone_number })
  if (phone_number !== instructor.phone_number)
    await auditAction(tx, caller, 'own phone changed', { subject_id: caller.id })
}

/** Throws 403 if the form changes the dojo and the caller has no right to change settings. */
async function changeDojoIfAllowed(
  tx: Tx,
  caller: DojoCaller,
  changes: Parameters<typeof changeDojo>[2],
): Promise<void> {
  const dojo: Record<string, unknown> = await dojoById(tx, caller.dojoId)
  const isChanged = Object.entries(changes).some(
    ([field, value]) => value !== undefined && value !== dojo[field],
  )
  if (!isChanged) return
  requireRight(caller.staff, 'settings')
  await changeDojo(tx, caller.dojoId, changes)
  await auditAction(tx, caller, 'dojo settings changed')
}

/** Ends other sessions. Throws 422 for a wrong current password, and 429 after too many of them. */
export async function changeOwnPassword(
  db: Database,
  sessions: Sessions,
  { mail, publicUrl }: MailSettings,
  caller: Caller,
  { current_password, new_password }: { current_password: string; new_password: string },
  maxFailures: number,
): Promise<void> {
  if (!(await confirmPassword(db, caller.id, current_password, maxFailures)))
    throw new Refusal(422, WRONG_PASSWORD, {
      errors: [{ field: 'current_password', message: WRONG_PASSWORD }],
    })
  await refuseCommonPassword(db, 'new_password', new_password)
  const password_hash = await hashPassword(new_password, requesterByAccount(caller.id))
  const recoveryMail = await db.withoutDojo(async (tx) => {
    await requireLiveSession(tx, caller)
    const account = await requireAccount(tx, caller.id)
    await refusePersonalPasswordOfAccount(tx, caller.id, 'new_password', new_password)
    await changePasswordHash(tx, caller.id, password_hash)
    await sessions.endOtherSessions(tx, caller, 'password-changed')
    return notifyAccountChange(tx, mail, publicUrl, account, { email: false, password: true })
  })
  if (recoveryMail) mail.send(recoveryMail)
}
