import { and, desc, eq, gte, lt } from 'drizzle-orm'
import { PAGE, type Page } from '@tatami/contract/fields'
import { randomBytes } from 'node:crypto'
import { now } from '../../lib/clock.ts'
import type { Database, Tx } from '../../db/database.ts'
import { students } from '../../students/tables.ts'
import type { Fate, Provider, Standing } from './provider.ts'
import { messages, simulatedTexts } from '../tables.ts'

const SENT_AFTER_MS = 1000,
  DELIVERED_AFTER_MS = 3000

function standing({ id, sent_at }: { id: string; sent_at: string }): Standing {
  const age = now().getTime() - Date.parse(sent_at)
  const fate: Fate = age < SENT_AFTER_MS ? 'accepted' : age < DELIVERED_AFTER_MS ? 'sent' : 'delivered'
  return { id, fate, errorCode: null }
}

/** Sends nothing: keeps what it would have sent, and pretends that it arrives. */
export const simulator = (db: Database): Provider => ({
  service: 'simulator',
  from: null,
  calls: false,
  send: ({ dojoId, messageId }) =>
    db.inDojo(dojoId, async (tx) => {
      const id = `SM${randomBytes(16).toString('hex')}`
      const [kept] = await tx
        .insert(simulatedTexts)
        .values({ message_id: messageId, id })
        .onConflictDoUpdate({ target: [simulatedTexts.dojo_id, simulatedTexts.message_id], set: { id, sent_at: now().toISOString() } })
        .returning()
      return standing(kept!)
    }),
  find: ({ dojoId, messageId }, since) =>
    db.inDojo(dojoId, async (tx) =>
      (
        await tx
          .select()
          .from(simulatedTexts)
          .where(and(eq(simulatedTexts.message_id, messageId), gte(simulatedTexts.sent_at, since.toISOString())))
      ).map(standing),
    ),
  standingOf: ({ dojoId }, id) =>
    db.inDojo(dojoId, async (tx) => {
      const [kept] = await tx.select().from(simulatedTexts).where(eq(simulatedTexts.id, id))
      return standing(kept ?? { id, sent_at: new Date(0).toISOString() })
    }),
  check: () => Promise.resolve(),
})

/** What would have gone out, newest first. */
export const simulatedSeen = (tx: Tx, { limit = PAGE, before }: Page) =>
  tx
    .select({
      id: simulatedTexts.message_id,
      student_id: messages.student_id,
      name: students.name,
      phone_number: messages.phone,
      text: messages.text,
      state: messages.state,
      sent_at: simulatedTexts.sent_at,
    })
    .from(simulatedTexts)
    .innerJoin(messages, eq(messages.id, simulatedTexts.message_id))
    .innerJoin(students, eq(students.id, messages.student_id))
    .where(before ? lt(simulatedTexts.message_id, before) : undefined)
    .orderBy(desc(simulatedTexts.message_id))
    .limit(limit)
    .then((rows) => rows.map((row) => ({ ...row, phone_number: row.phone_number ?? '', text: row.text ?? '' })))
