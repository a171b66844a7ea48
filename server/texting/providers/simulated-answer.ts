import { eq } from 'drizzle-orm'
import { newId } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import { notFound, Refusal } from '../../lib/refusal.ts'
import { heedWish } from '../incoming.ts'
import type { Provider } from './provider.ts'
import { incomingTexts, messages, phoneOptOuts, simulatedTexts } from '../tables.ts'

/** Takes words as if the phone of a simulated text had sent them, to this dojo alone; answers what the phone is told, null for nothing. */
export async function answerSimulated(
  tx: Tx,
  { service }: Pick<Provider, 'service'>,
  messageId: string,
  text: string,
): Promise<string | null> {
  if (service !== 'simulator') throw new Refusal(409, 'Texts are not simulated: answers come from the phones themselves.')
  const [written] = await tx
    .select({ student_id: messages.student_id, phone: messages.phone })
    .from(simulatedTexts)
    .innerJoin(messages, eq(messages.id, simulatedTexts.message_id))
    .where(eq(simulatedTexts.message_id, messageId))
  if (!written) throw notFound('Message')
  const phone = written.phone!
  await tx.insert(incomingTexts).values({ provider_id: `simulated ${newId()}`, student_id: written.student_id, phone, text })
  return heedWish(tx, phone, text, { simulated: true })
}

/** What was tried in the simulator keeps no real text from anybody. */
export const forgetSimulatedStops = (tx: Tx) => tx.delete(phoneOptOuts).where(eq(phoneOptOuts.simulated, true))
