import { fillTemplate, WELCOME_TEXT } from '@tatami/contract/message-types'
import type { Tx } from '../db/database.ts'
import { optedOutAmong } from './opt-outs.ts'
import { queueOrWait } from './outbox.ts'
import { validPhone } from './phones.ts'
import { welcomeEnabled } from './settings.ts'

/** One text to a student who has just been enrolled, where the dojo wants that and the phone can get it. */
export async function welcomeStudent(
  tx: Tx,
  dojoId: string,
  student: { id: string; name: string; phone_number: string | null },
): Promise<void> {
  if (!(await welcomeEnabled(tx))) return
  const phone = validPhone(student.phone_number)
  if (!phone || (await optedOutAmong(tx, [phone])).has(phone)) return
  await queueOrWait(tx, dojoId, {
    kind: 'welcome',
    text: WELCOME_TEXT,
    texts: [{ student_id: student.id, phone, text: fillTemplate(WELCOME_TEXT, student.name) }],
  })
}
