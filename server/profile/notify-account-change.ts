import type { Account } from '../accounts/accounts.ts'
import { recoveryEmail, storeRecoveryLink } from '../accounts/account-recovery.ts'
import { instructorName } from '../accounts/instructors.ts'
import { MAX_GUESSES } from '../accounts/sign-in-throttle.ts'
import { auditAction } from '../audit/audit.ts'
import { dojoById } from '../dojos/dojos.ts'
import { insideDojo, type Tx } from '../db/database.ts'
import type { Email, Mailer } from '../lib/mail.ts'
import {
  notify,
  notifyInstructors,
  notifySuperAdmins,
  ADMIN_INBOX_ID,
} from '../notifications/notify.ts'

type AccountChange = { email: boolean; password: boolean }

/** Records a changed email or password in the audit log and notifies the owner. Returns a mail to
 *  the earlier address, to send after the commit; null without a change or mail server. The
 *  notification has no recovery link, because the person who made the change may read it. `account`
 *  is the state before. */
export async function notifyAccountChange(
  tx: Tx,
  { isConfigured: hasMail }: Mailer,
  publicUrl: string,
  account: Account,
  { email, password }: AccountChange,
): Promise<Email | null> {
  if (!email && !password) return null
  const changeWords = email && password ? 'email and password' : email ? 'email' : 'password'
  const was = email && password ? 'were' : 'was'
  const { id, dojo_id, role } = account
  await auditAction(tx, { id, dojoId: dojo_id }, `${changeWords} changed`, { subject_id: id })
  const title = `${changeWords.charAt(0).toUpperCase()}${changeWords.slice(1)} changed`
  const message =
    `The ${changeWords} of your account ${was} changed. ` +
    `If this wasn’t you, ${remedy(role, hasMail)}`
  const inbox = dojo_id ?? ADMIN_INBOX_ID
  await insideDojo(tx, inbox, async (dojoTx) => {
    if (role === 'instructor') await notifyInstructors(dojoTx, inbox, { title, message })
    else await notify(dojoTx, inbox, [id], { title, message })
    // Without a mail server only a super admin can help.
    if (role === 'instructor' && email) {
      const name = await instructorName(dojoTx, id)
      const dojo = await dojoById(dojoTx, inbox)
      await notifySuperAdmins(dojoTx, {
        title: 'Sensei email changed',
        message: `${name} of ${dojo.name} logs in with another email now.`,
      })
    }
  })
  const token = hasMail ? await storeRecoveryLink(tx, account) : null
  return token
    ? recoveryEmail(
        account.email,
        `${changeWords} of your Tatami account ${was} changed`,
        publicUrl,
        token,
      )
    : null
}

/** Advice if the owner did not make the change. */
export function remedy(role: Account['role'], hasMail: boolean): string {
  if (hasMail) return 'use the link that we emailed to your old address. It works for 7 days.'
  if (role === 'student' || role === 'guardian') return 'tell your instructor.'
  return role === 'instructor' ? 'ask the admin team to reset your password.' : 'change it now.'
}

const GUESSES_TITLE = 'Somebody may be guessing your password'
const GUESSES_WORDS =
  `Someone entered ${MAX_GUESSES} wrong passwords in a day on a network where you have logged in ` +
  'before. Nobody can log in from there until tomorrow. You can log in somewhere else, for ' +
  'example on your phone without Wi-Fi. If it was not you, please choose another password.'

/** Returns a mail to send after the commit. */
export async function notifyGuesses(
  tx: Tx,
  mail: Mailer,
  { id, email, dojo_id }: Account,
): Promise<() => void> {
  const inbox = dojo_id ?? ADMIN_INBOX_ID
  await insideDojo(tx, inbox, (inboxTx) =>
    notify(inboxTx, inbox, [id], { title: GUESSES_TITLE, message: GUESSES_WORDS }),
  )
  return () => mail.send({ to: email, subject: GUESSES_TITLE, text: GUESSES_WORDS })
}
