import type { Conversation, ReplyAction, ThreadText } from '@tatami/contract/texting/conversations'
import type { BatchKind } from '@tatami/contract/texting/message-types'
import type { PhoneHolder, PhoneInfo } from '@tatami/contract/texting/phones'
import { DEFAULT_PAGE_SIZE, type Page } from '@tatami/contract/lib/fields'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { classes } from '../../classes/tables.ts'
import { equalsAny } from '../../db/bulk.ts'
import { byName, newId } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import { guardianPhones, guardians } from '../../guardians/tables.ts'
import { nowIso } from '../../lib/clock.ts'
import { notFound, Refusal } from '../../lib/refusal.ts'
import { students } from '../../students/tables.ts'
import { listConsents } from '../consents.ts'
import { hideFeeText, type TextReader } from '../fee-texts.ts'
import { describeReason, maySendAgain } from '../history.ts'
import { findHolders, findHoldersOfPhone } from '../phones.ts'
import { findStoppedPhones } from '../opt-outs.ts'
import { incomingTexts, messageBatches, messages } from '../tables.ts'
import { parseKeyword } from './keywords.ts'
import { pick, pluck } from '../../lib/rows.ts'
import { conversations, replyActions } from './tables.ts'

/** Locks the conversations, and adds to their number of unread texts. */
export function touchConversations(tx: Tx, phones: readonly string[], newUnreadCount = 0) {
  const rows = phones.map((phone) => ({ phone, id: newId() }))
  return tx.execute(sql`
    insert into conversations (phone, id, unread, last_at)
    select phone, id, ${newUnreadCount}, ${nowIso()}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(phone text, id uuid)
    order by phone
    on conflict (dojo_id, phone) do update
      set unread = conversations.unread + excluded.unread, last_at = excluded.last_at`)
}

type ConversationRow = {
  id: string
  phone_number: string
  unread_count: number
  stop_asked_at: string | null
  direction: 'in' | 'out' | null
  text: string
  at: string
  kind: BatchKind | null
}

/** Lists possible stop requests first, then conversations with unread texts, then the newest. */
export async function listConversations(
  tx: Tx,
  reader: TextReader,
  { limit = DEFAULT_PAGE_SIZE, before }: Page,
): Promise<Conversation[]> {
  const pageCondition = before
    ? sql`where (c.stop_asked_at is not null, c.unread > 0, c.last_at, c.id) < (
        select b.stop_asked_at is not null, b.unread > 0, b.last_at, b.id
        from ${conversations} b where b.dojo_id = c.dojo_id and b.id = ${before})`
    : sql``
  const order = sql`order by
    (c.stop_asked_at is not null) desc, (c.unread > 0) desc, c.last_at desc, c.id desc`
  const { rows } = await tx.execute<ConversationRow>(sql`
    select c.id, c.phone as phone_number, c.unread as unread_count, c.stop_asked_at,
      last.direction, last.text, last.at, b.kind
    from (select * from ${conversations} c ${pageCondition} ${order} limit ${limit}) c
    left join lateral (select * from (
      (select id, 'in' as direction, text, received_at as at, null::uuid as batch_id
        from ${incomingTexts} i
        where i.dojo_id = c.dojo_id and i.phone = c.phone order by i.id desc limit 1)
      union all
      (select id, 'out', coalesce(text, ''), coalesce(sent_at, updated_at), batch_id
        from ${messages} m
        where m.dojo_id = c.dojo_id and m.phone = c.phone and m.sent_with is null
        order by m.id desc limit 1)
    ) newest order by (direction = 'in' and c.unread > 0) desc, id desc limit 1) last on true
    left join ${messageBatches} b on b.dojo_id = c.dojo_id and b.id = last.batch_id
    ${order}`)
  const holders = await findHolders(tx, pluck(rows, 'phone_number'))
  return rows.map(({ direction, text, at, kind, stop_asked_at, ...row }) => ({
    ...row,
    stop_asked_at: stop_asked_at && new Date(stop_asked_at).toISOString(),
    people: holders.get(row.phone_number) ?? [],
    last: direction && {
      direction,
      text: hideFeeText(reader, kind, text),
      at: new Date(at).toISOString(),
    },
  }))
}

/** Throws 404 if the dojo has neither students nor texts with this phone. */
export async function requirePhone(tx: Tx, phone: string): Promise<PhoneHolder[]> {
  const holders = await findHoldersOfPhone(tx, phone)
  if (holders.length > 0) return holders
  const { rows } = await tx.execute(sql`select 1 from ${conversations} where phone = ${phone}
    union all (select 1 from ${messages} where phone = ${phone} and sent_with is null limit 1)`)
  if (rows.length === 0) throw notFound('Conversation')
  return []
}

export async function readPhoneInfo(tx: Tx, phone: string): Promise<PhoneInfo> {
  const people = await requirePhone(tx, phone)
  const stoppedPhones = await findStoppedPhones(tx, [phone])
  const [conversation] = await tx
    .select({ stop_asked_at: conversations.stop_asked_at })
    .from(conversations)
    .where(eq(conversations.phone, phone))
  const linked_guardians = await tx
    .select({ id: guardians.id, name: guardians.name })
    .from(guardianPhones)
    .innerJoin(guardians, eq(guardians.id, guardianPhones.guardian_id))
    .where(eq(guardianPhones.phone, phone))
    .orderBy(...byName(guardians))
  return {
    phone_number: phone,
    people,
    linked_guardians,
    opted_out_at: stoppedPhones.get(phone) ?? null,
    stop_asked_at: conversation?.stop_asked_at ?? null,
    consents: await listConsents(tx, phone),
  }
}

type ThreadRow = Omit<ThreadText, 'may_send_again' | 'keyword' | 'actions'>

export async function readThread(
  tx: Tx,
  reader: TextReader,
  phone: string,
  { limit = DEFAULT_PAGE_SIZE, before }: Page,
): Promise<ThreadText[]> {
  await requirePhone(tx, phone)
  const pageCondition = before ? sql`and t.id < ${before}` : sql``
  const { rows } = await tx.execute<ThreadRow>(sql`
    (select t.id, 'in' as direction, t.received_at as at, t.text, null as kind,
        null::uuid as batch_id, null as state, null as reason, null as sender_name,
        t.read_at is not null as is_read, t.stop_request
      from ${incomingTexts} t
      where t.phone = ${phone} ${pageCondition} order by t.id desc limit ${limit})
    union all
    (select t.id, 'out', coalesce(t.sent_at, t.updated_at), coalesce(t.text, ''), b.kind,
        t.batch_id, t.state, t.reason, b.sender_name, true, null
      from ${messages} t join ${messageBatches} b on b.dojo_id = t.dojo_id and b.id = t.batch_id
      where t.phone = ${phone} and t.sent_with is null ${pageCondition}
      order by t.id desc limit ${limit})
    order by id desc limit ${limit}`)
  const actions = await listActions(
    tx,
    rows.flatMap(({ id, direction }) => (direction === 'in' ? [id] : [])),
  )
  return rows.map((row) => ({
    ...row,
    text: hideFeeText(reader, row.kind, row.text),
    at: new Date(row.at).toISOString(),
    reason: row.state && describeReason(row.state, row.reason),
    may_send_again: row.state !== null && maySendAgain(row.state),
    // If an instructor had to decide about the text, it was not a keyword.
    keyword: row.direction === 'in' && row.stop_request === null ? parseKeyword(row.text) : null,
    actions: actions.get(row.id) ?? [],
  }))
}

async function listActions(tx: Tx, incomingIds: string[]): Promise<Map<string, ReplyAction[]>> {
  const rows = await tx
    .select({
      ...pick(replyActions, 'incoming_id', 'id', 'command', 'student_id'),
      student_name: students.name,
      class_name: classes.class_name,
      class_date: replyActions.class_date,
      undone_at: replyActions.undone_at,
    })
    .from(replyActions)
    .leftJoin(students, eq(students.id, replyActions.student_id))
    .leftJoin(classes, eq(classes.id, replyActions.class_id))
    .where(equalsAny(replyActions.incoming_id, incomingIds))
    .orderBy(replyActions.id)
  const actionsByText = new Map<string, ReplyAction[]>()
  for (const { incoming_id, ...action } of rows)
    actionsByText.set(incoming_id, [...(actionsByText.get(incoming_id) ?? []), action])
  return actionsByText
}

/** Marks texts up to `upTo` as read, or the newest as unread. Throws 409 if there is none. */
export async function setRead(tx: Tx, phone: string, isRead: boolean, upTo?: string | null) {
  await lockConversation(tx, phone)
  const wherePhone = eq(incomingTexts.phone, phone)
  if (isRead) {
    const whereUpTo = upTo ? sql`${incomingTexts.id} <= ${upTo}` : undefined
    await tx
      .update(incomingTexts)
      .set({ read_at: nowIso() })
      .where(and(wherePhone, isNull(incomingTexts.read_at), whereUpTo))
  } else {
    const [newestText] = await tx
      .select({ id: incomingTexts.id })
      .from(incomingTexts)
      .where(wherePhone)
      .orderBy(desc(incomingTexts.id))
      .limit(1)
    if (!newestText) throw new Refusal(409, 'This phone hasn’t sent any messages yet.')
    await tx.update(incomingTexts).set({ read_at: null }).where(eq(incomingTexts.id, newestText.id))
  }
  await recountUnread(tx, [phone])
}

async function lockConversation(tx: Tx, phone: string): Promise<void> {
  const [conversation] = await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(eq(conversations.phone, phone))
    .for('update')
  if (!conversation) await requirePhone(tx, phone)
}

export const recountUnread = (tx: Tx, phones: readonly string[]) =>
  tx.execute(sql`
    update ${conversations} c set unread = (
      select count(*) from ${incomingTexts} i
      where i.dojo_id = c.dojo_id and i.phone = c.phone and i.read_at is null)
    where c.phone = any(${sql.param(phones)})`)
