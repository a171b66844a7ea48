import type { Account } from '../accounts/accounts.ts'
import { buildRecoveryEmail, storeRecoveryLink } from '../accounts/account-recovery.ts'
import { findInstructorName } from '../accounts/instructors.ts'
import { MAX_GUESSES_PER_DAY } from '../accounts/sign-in-throttle.ts'
import { auditAction } from '../audit/audit.ts'
import { dojoById } from '../dojos/dojos.ts'
import { insideDojo, type Tx } from '../db/database.ts'
import type { Email, Mailer } from '../lib/mail.ts'
import { notify, notifySuperAdmins, ADMIN_INBOX_ID } from '../notifications/notify.ts'

type AccountChange = { email: boolean; password: boolean }

/** Notifies the owner in the app, and returns a mail to the previous address, which the caller
 *  sends after the commit. Only the mail has a recovery link, because a thief could read the
 *  notification. Returns null if there is no mail server. */
export async function notifyAccountChange(
  tx: Tx,
  { isConfigured: hasMail }: Mailer,
  publicUrl: string,
  account: Account,
  { email, password }: AccountChange,
): Promise<Email | null> {
  if (!email && !password) return null
  const changesBoth = email && password
  const changedField = email ? 'email' : 'password'
  const changedFields = changesBoth ? 'email and password' : changedField
  const verb = changesBoth ? 'were' : 'was'
  const { id, dojo_id, role } = account
  await auditAction(tx, { id, dojoId: dojo_id }, `${changedFields} changed`, { subject_id: id })
  const title = `${changedFields.charAt(0).toUpperCase()}${changedFields.slice(1)} changed`
  const message =
    `The ${changedFields} of your account ${verb} changed. ` +
    `If this wasn’t you, ${adviceAfterChange(role, hasMail)}`
  const inboxId = dojo_id ?? ADMIN_INBOX_ID
  await insideDojo(tx, inboxId, async (dojoTx) => {
    await notify(dojoTx, inboxId, [id], { title, message })
    // Only a super admin can help if there is no mail server.
    if (role === 'instructor' && email) {
      const name = await findInstructorName(dojoTx, id)
      const dojo = await dojoById(dojoTx, inboxId)
      await notifySuperAdmins(dojoTx, {
        title: 'Sensei email changed',
        message: `${name} of ${dojo.name} now logs in with another email.`,
      })
    }
  })
  const token = hasMail ? await storeRecoveryLink(tx, account) : null
  return token
    ? buildRecoveryEmail(
        account.email,
        `${changedFields} of your Tatami account ${verb} changed`,
        publicUrl,
        token,
      )
    : null
}

export function adviceAfterChange(role: Account['role'], hasMail: boolean): string {
  if (hasMail) return 'use the link that we emailed to your old address. It works for 7 days.'
  if (role === 'student' || role === 'guardian') return 'tell your instructor.'
  return role === 'instructor' ? 'ask the admin team to reset your password.' : 'change it now.'
}

const GUESSES_TITLE = 'Somebody may be guessing your password'
const GUESSES_MESSAGE =
  `Someone entered ${MAX_GUESSES_PER_DAY} wrong passwords in a day on a network where you have ` +
  'logged in before. Nobody can log in from there until tomorrow. You can log in somewhere else, ' +
  'for example on your phone without Wi-Fi. If it wasn’t you, please choose another password.'

/** Returns a function that sends a mail. The caller calls it after the commit. */
export async function notifyAboutGuesses(
  tx: Tx,
  mail: Mailer,
  { id, email, dojo_id }: Account,
): Promise<() => void> {
  const inboxId = dojo_id ?? ADMIN_INBOX_ID
  await insideDojo(tx, inboxId, (inboxTx) =>
    notify(inboxTx, inboxId, [id], { title: GUESSES_TITLE, message: GUESSES_MESSAGE }),
  )
  return () => mail.send({ to: email, subject: GUESSES_TITLE, text: GUESSES_MESSAGE })
}
