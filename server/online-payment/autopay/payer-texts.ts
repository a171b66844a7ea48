import { composeTexts } from '../../texting/shared-texts.ts'
import { queueBatch } from '../../texting/batches.ts'
import { readUsageToday } from '../../texting/allowance.ts'
import { findOptOuts } from '../../texting/opt-outs.ts'
import type { Tx } from '../../db/database.ts'
import { validPhone } from '../../lib/phone.ts'
import { type PayerPerson, readPayerContact } from '../payers.ts'
import { findCurrentStudents } from './terms.ts'

/**
 * Texts a payer through the outbox. `{name}` stands for the students. Returns false if nothing was
 * queued: the payer has no phone or gets no texts, or today's texts are used.
 */
export async function textPayer(
  tx: Tx,
  dojoId: string,
  person: PayerPerson,
  text: string,
): Promise<boolean> {
  const phone = validPhone((await readPayerContact(tx, person)).phone)
  if (phone === null || (await findOptOuts(tx, [phone])).has(phone)) return false
  if ((await readUsageToday(tx)).remaining_messages < 1) return false
  const students = await findCurrentStudents(tx, person)
  if (students.length === 0) return false
  const addressees = students.map(({ id, name }) => ({ student_id: id, name, phone }))
  await queueBatch(tx, dojoId, { kind: 'autopay', text, texts: composeTexts(text, addressees) })
  return true
}
