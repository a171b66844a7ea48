import type { PlanNotice } from '@tatami/contract/plans/notices'
import type { Tx } from '../db/database.ts'
import { dojoById, todayOf } from '../dojos/dojos.ts'
import type { Email } from '../lib/mail.ts'
import { pluck } from '../lib/rows.ts'
import { notify } from '../notifications/notify.ts'
import { readLetterhead } from '../pictures/pictures.ts'
import { findPlanReaders } from './payers.ts'

export type StudentNotice = PlanNotice & {
  student_id: string
  /** For members for whom somebody else pays. Null if they need not know. */
  messageWithoutSums: string | null
}

/** Tells payers and adult members by bell. Returns the mails for those who have an address, which
 *  the caller sends after the commit. */
export async function tellPlanReaders(
  tx: Tx,
  dojoId: string,
  notices: readonly StudentNotice[],
): Promise<Email[]> {
  if (notices.length === 0) return []
  const today = await todayOf(tx, dojoId)
  const readersByStudent = await findPlanReaders(tx, pluck(notices, 'student_id'), today)
  const { name: dojoName } = await dojoById(tx, dojoId)
  const letterhead = await readLetterhead(tx)
  const emails: Email[] = []
  for (const { student_id, title, message, messageWithoutSums } of notices)
    for (const { account_id, email, seesSums } of readersByStudent.get(student_id) ?? []) {
      const text = seesSums ? message : messageWithoutSums
      if (text === null) continue
      if (account_id !== null)
        await notify(tx, dojoId, [account_id], {
          ...{ title, message: text, student_id, is_about_fees: seesSums },
        })
      const subject = `${dojoName}: ${title}`
      if (email !== null)
        emails.push({ to: email, letterhead, subject, text: `${text}\n\n${dojoName}` })
    }
  return emails
}
