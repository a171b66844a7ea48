import type { Account } from '../accounts/accounts.ts'
import { findInstructorName } from '../accounts/instructors.ts'
import { dojoById } from '../dojos/dojos.ts'
import { insideDojo, type Tx } from '../db/database.ts'
import type { Email } from '../lib/mail.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'

/** Returns an email to send after the commit, or null if the account was deactivated. */
export async function buildActivationMail(
  tx: Tx,
  { id, email, dojo_id, is_active }: Account,
  publicUrl: string,
): Promise<Email | null> {
  if (!is_active) return null
  const dojo = await dojoById(tx, mustExist(dojo_id, 'The dojo'))
  const name = await insideDojo(tx, dojo.id, (dojoTx) => findInstructorName(dojoTx, id))
  return {
    to: email,
    subject: 'Your Tatami account is active',
    text:
      `Hi ${name},\n\n` +
      `Your account for ${dojo.name} is active. You can log in now:\n` +
      `${publicUrl}/login\n\n` +
      'New here? Follow the first steps on your dashboard, and you can take your first roll in ' +
      'about half an hour. Have your list of students ready: a spreadsheet, or an export from ' +
      'your old software.\n',
  }
}
