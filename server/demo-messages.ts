import { and, eq } from 'drizzle-orm'
import { sendBulkMessage } from './texting/compose.ts'
import { remindBySelf } from './texting/reminders.ts'
import type { Tx } from './db/database.ts'
import { newId } from './db/columns.ts'
import type { Member } from './http/serve.ts'
import { recordSent } from './texting/delivery/record.ts'
import { answerSimulated } from './texting/providers/simulated-answer.ts'
import { messages, simulatedTexts } from './texting/tables.ts'

const REMINDED_DAYS = 60,
  UNREACHED_ONE_IN = 23,
  PHONE_OFF = 30003

/** What the sensei texted by hand, so many days before today, and what came back from the first phones. */
const BY_HAND = [
  {
    daysAgo: 16,
    message_type: 'special_announcement',
    custom_message: 'Hi {name}, the belt test is next Saturday at ten. Please be there a quarter of an hour early.',
    answers: ['Thanks, we will be there.'],
  },
  {
    daysAgo: 4,
    message_type: 'weather_cancel',
    custom_message: 'Hi {name}, no class tonight because of the ice on the roads. Stay safe.',
    answers: ['Thank you for telling us', 'Is Open Mat on Saturday as usual?'],
  },
] as const

/** The texts of one day of the demo dojo: reminders in its last weeks, and what was sent by hand. */
export async function textOn(tx: Tx, sensei: Member, classIds: string[], day: string, daysAgo: number): Promise<void> {
  if (daysAgo > 0 && daysAgo < REMINDED_DAYS) await remindBySelf(tx, sensei.dojoId, day)
  for (const { answers, ...message } of BY_HAND.filter((one) => one.daysAgo === daysAgo)) {
    const { batch_id } = await sendBulkMessage(tx, sensei, { ...message, selected_classes: classIds })
    await deliver(tx)
    const texts = await tx
      .select({ id: messages.id })
      .from(messages)
      .where(and(eq(messages.batch_id, batch_id), eq(messages.state, 'delivered')))
      .limit(answers.length)
    for (const [index, text] of answers.entries()) await answerSimulated(tx, { service: 'simulator' }, texts[index]!.id, text)
  }
  await deliver(tx)
}

/** As the simulator would, at once; now and then a phone is off. */
async function deliver(tx: Tx) {
  const queued = await tx.select({ id: messages.id, dojo_id: messages.dojo_id }).from(messages).where(eq(messages.state, 'queued'))
  for (const [index, text] of queued.entries()) {
    const id = `SM${newId().replaceAll('-', '')}`,
      isOff = index % UNREACHED_ONE_IN === UNREACHED_ONE_IN - 1
    await tx.insert(simulatedTexts).values({ message_id: text.id, id })
    await recordSent(tx, text, { id, fate: isOff ? 'undelivered' : 'delivered', errorCode: isOff ? PHONE_OFF : null }, true)
  }
}
