import type { NoticeWay } from '@tatami/contract/online-payment/autopay-states'
import type { Tx } from '../../db/database.ts'
import { dojoById } from '../../dojos/dojos.ts'
import type { Email } from '../../lib/mail.ts'
import { notify } from '../../notifications/notify.ts'
import { readLetterhead } from '../../pictures/pictures.ts'
import { type PayerPerson, readPayerContact } from '../payers.ts'

export type PayerMessage = {
  title: string
  message: string
  /** Only in the mail, because it contains a secret link or is long. */
  mailOnly?: string
}

/** Tells a payer by bell, and by mail, which the caller sends after the commit. */
export async function tellPayer(
  tx: Tx,
  dojoId: string,
  person: PayerPerson,
  { title, message, mailOnly }: PayerMessage,
): Promise<{ emails: Email[]; ways: NoticeWay[] }> {
  const { email, account_id } = await readPayerContact(tx, person)
  const ways: NoticeWay[] = []
  if (account_id !== null) {
    await notify(tx, dojoId, [account_id], { title, message, is_about_fees: true })
    ways.push('bell')
  }
  if (email === null) return { emails: [], ways }
  const { name: school } = await dojoById(tx, dojoId)
  const text = [message, ...(mailOnly === undefined ? [] : [mailOnly]), school].join('\n\n')
  const letterhead = await readLetterhead(tx)
  return {
    emails: [{ to: email, letterhead, subject: `${school}: ${title}`, text }],
    ways: [...ways, 'mail'],
  }
}
