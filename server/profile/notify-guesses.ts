import type { Account } from '../accounts/accounts.ts'
import { MAX_GUESSES } from '../accounts/sign-in-throttle.ts'
import { insideDojo, type Tx } from '../db/database.ts'
import type { Mailer } from '../lib/mail.ts'
import { ADMIN_INBOX_ID, notify } from '../notifications/notify.ts'

const TITLE = 'Somebody may be guessing your password'
const WORDS = `A wrong password was typed ${MAX_GUESSES} times within a day where you have logged in before. Nobody can log in from there until tomorrow. You can log in somewhere else, for example on your phone without Wi-Fi. If it was not you, please choose another password.`

/** Tells the owner under the bell. Returns the mail to them, which is sent after the commit. */
export async function notifyGuesses(
  tx: Tx,
  mail: Mailer,
  { id, email, dojo_id }: Account,
): Promise<() => void> {
  const inbox = dojo_id ?? ADMIN_INBOX_ID
  await insideDojo(tx, inbox, (own) => notify(own, inbox, [id], { title: TITLE, message: WORDS }))
  return () => mail.send({ to: email, subject: TITLE, text: WORDS })
}
