import { randomBytes } from 'node:crypto'
import { DEFAULT_PAGE_SIZE, type Page } from '@tatami/contract/lib/fields'
import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import type { Database, Tx } from '../../db/database.ts'
import { now } from '../../lib/clock.ts'
import { firstRow } from '../../lib/rows.ts'
import { students } from '../../students/tables.ts'
import { hideFeeText, type TextReader } from '../fee-texts.ts'
import { messageBatches, messages, simulatedTexts } from '../tables.ts'
import { type DeliveryStatus, NO_DETAILS, type Provider, type ProviderStatus } from './provider.ts'

/** Replaces the provider until one is set up. It stores the texts and simulates their delivery. */

const SENT_AFTER_MS = 1000
const DELIVERED_AFTER_MS = 3000

function simulateStatus(sentAt: string): DeliveryStatus {
  const ageMs = now().getTime() - Date.parse(sentAt)
  if (ageMs < SENT_AFTER_MS) return 'accepted'
  return ageMs < DELIVERED_AFTER_MS ? 'sent' : 'delivered'
}

const toProviderStatus = ({ id, sent_at }: { id: string; sent_at: string }): ProviderStatus => ({
  id,
  status: simulateStatus(sent_at),
  errorCode: null,
})

export const createSimulator = (db: Database): Provider => ({
  service: 'simulator',
  accountSid: null,
  from: null,
  hasCallbacks: false,
  send: ({ dojoId, messageId }) =>
    db.inDojo(dojoId, async (tx) => {
      const id = `SM${randomBytes(16).toString('hex')}`
      const simulatedTextRows = await tx
        .insert(simulatedTexts)
        .values({ message_id: messageId, id })
        .onConflictDoUpdate({
          target: [simulatedTexts.dojo_id, simulatedTexts.message_id],
          set: { id, sent_at: now().toISOString() },
        })
        .returning()
      return toProviderStatus(firstRow(simulatedTextRows))
    }),
  findSent: ({ dojoId, messageId }, sentAfter) =>
    db.inDojo(dojoId, async (tx) => {
      const rows = await tx
        .select()
        .from(simulatedTexts)
        .where(
          and(
            eq(simulatedTexts.message_id, messageId),
            gte(simulatedTexts.sent_at, sentAfter.toISOString()),
          ),
        )
      return rows.map(toProviderStatus)
    }),
  fetchStatus: ({ dojoId }, id) =>
    db.inDojo(dojoId, async (tx) => {
      const [simulatedText] = await tx
        .select()
        .from(simulatedTexts)
        .where(eq(simulatedTexts.id, id))
      // Old texts are deleted. They count as delivered.
      const longAgo = new Date(0).toISOString()
      return toProviderStatus(simulatedText ?? { id, sent_at: longAgo })
    }),
  check: () => Promise.resolve(NO_DETAILS),
})

/** The students of a text as JSON, sorted by name. */
const STUDENTS = sql<{ student_id: string; name: string }[]>`coalesce((
  select jsonb_agg(
    jsonb_build_object('student_id', s.id, 'name', s.name) order by lower(s.name), s.id)
  from ${messages} m join ${students} s on s.dojo_id = m.dojo_id and s.id = m.student_id
  where m.dojo_id = ${messages.dojo_id}
    and (m.id = ${messages.id} or m.sent_with = ${messages.id})), '[]')`

export const listSimulatedTexts = (
  tx: Tx,
  reader: TextReader,
  { limit = DEFAULT_PAGE_SIZE, before }: Page,
) =>
  tx
    .select({
      id: simulatedTexts.message_id,
      student_id: messages.student_id,
      students: STUDENTS,
      phone_number: messages.phone,
      text: messages.text,
      kind: messageBatches.kind,
      state: messages.state,
      sent_at: simulatedTexts.sent_at,
    })
    .from(simulatedTexts)
    .innerJoin(messages, eq(messages.id, simulatedTexts.message_id))
    .innerJoin(messageBatches, eq(messageBatches.id, messages.batch_id))
    .where(before ? lt(simulatedTexts.message_id, before) : undefined)
    .orderBy(desc(simulatedTexts.message_id))
    .limit(limit)
    .then((rows) =>
      rows.map(({ kind, ...row }) => ({
        ...row,
        name: row.students.map(({ name }) => name).join(', ') || (row.phone_number ?? ''),
        phone_number: row.phone_number ?? '',
        text: hideFeeText(reader, kind, row.text ?? ''),
      })),
    )
