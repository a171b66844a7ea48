import { addDays } from '@tatami/contract/lib/calendar-day'
import { and, eq, isNull, ne } from 'drizzle-orm'
import { sendBulkMessage } from '../messages/compose.ts'
import { announceFirstReminder } from '../messages/first-reminder.ts'
import { sendDueReminder } from '../messages/reminders.ts'
import type { Tx } from '../db/database.ts'
import { newId } from '../db/columns.ts'
import type { DojoCaller } from '../http/serve.ts'
import { formatDay, formatTime } from '../lib/format-day.ts'
import { pick } from '../lib/rows.ts'
import { recordAccepted } from '../texting/delivery/outcomes.ts'
import { TEST_TIME } from './belts.ts'
import { ICY_DAYS_AGO } from './dates.ts'
import { MOTHERS_PHONE } from './families.ts'
import { replyToPhone } from '../texting/conversations/replies.ts'
import { answerSimulated, writeSimulated } from '../messages/incoming.ts'
import { messages, simulatedTexts } from '../texting/tables.ts'

const REMINDER_DAYS = 60
/** Every 23rd text does not arrive. */
const UNDELIVERED_EVERY = 23
/** Twilio's error code for a phone that is off or out of reach. */
const PHONE_UNREACHABLE = 30003

const composeManualTexts = (testDay: string) => [
  {
    daysAgo: 16,
    message_type: 'special_announcement' as const,
    custom_message:
      `Hi {name}, the belt test is on ${formatDay(testDay)} at ${formatTime(TEST_TIME)}. ` +
      'Please be there 15 minutes early.',
    replies: ['Thanks, we will be there.'],
  },
  {
    daysAgo: ICY_DAYS_AGO,
    message_type: 'weather_cancel' as const,
    custom_message: 'Hi {name}, no class today because of the ice on the roads. Stay safe.',
    replies: ['Thank you for telling us', 'Are the next classes as usual?'],
  },
]

const CONVERSATION = {
  daysAgo: 2,
  incomingText: 'Ruby has a cold and stays home this week. Ken and Finn come as usual.',
  reply: 'Thank you, Ann. Get well soon, Ruby!',
}

export async function sendTexts(
  tx: Tx,
  sensei: DojoCaller,
  classIds: string[],
  day: string,
  daysAgo: number,
): Promise<void> {
  if (daysAgo > 0 && daysAgo < REMINDER_DAYS) {
    await announceFirstReminder(tx, sensei.dojoId, day)
    await sendDueReminder(tx, sensei.dojoId, day)
  }
  for (const { replies, ...message } of composeManualTexts(addDays(day, daysAgo)).filter(
    (manualText) => manualText.daysAgo === daysAgo,
  )) {
    const { batch_id } = await sendBulkMessage(tx, sensei, {
      ...message,
      selected_classes: classIds,
    })
    await deliverQueued(tx)
    const texts = await tx
      .select({ id: messages.id })
      .from(messages)
      .where(
        and(
          eq(messages.batch_id, batch_id),
          eq(messages.state, 'delivered'),
          isNull(messages.sent_with),
          // Ann has her own conversation, which is read. These replies stay unread.
          ne(messages.phone, MOTHERS_PHONE),
        ),
      )
      .orderBy(messages.id)
      .limit(replies.length)
    for (const [index, text] of replies.entries())
      await answerSimulated(tx, sensei.dojoId, { service: 'simulator' }, texts[index]!.id, text)
  }
  if (daysAgo === CONVERSATION.daysAgo) {
    const { phone_number } = await writeSimulated(
      tx,
      sensei.dojoId,
      { service: 'simulator' },
      MOTHERS_PHONE,
      CONVERSATION.incomingText,
    )
    await replyToPhone(tx, sensei, phone_number, { text: CONVERSATION.reply })
  }
  await deliverQueued(tx)
}

async function deliverQueued(tx: Tx) {
  const queuedTexts = await tx
    .select(pick(messages, 'id', 'dojo_id', 'account_sid'))
    .from(messages)
    .where(and(eq(messages.state, 'queued'), isNull(messages.sent_with)))
  for (const [index, text] of queuedTexts.entries()) {
    const id = `SM${newId().replaceAll('-', '')}`,
      isUnreachable = index % UNDELIVERED_EVERY === UNDELIVERED_EVERY - 1
    await tx.insert(simulatedTexts).values({ message_id: text.id, id })
    await recordAccepted(
      tx,
      text,
      {
        id,
        status: isUnreachable ? 'undelivered' : 'delivered',
        errorCode: isUnreachable ? PHONE_UNREACHABLE : null,
      },
      true,
    )
  }
}
