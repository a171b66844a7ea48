import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import type { ReplyCommand } from '@tatami/contract/texting/conversations'
import type { PhoneHolder } from '@tatami/contract/texting/phones'
import { BATCH_KINDS, firstNames, isCancellation } from '@tatami/contract/texting/message-types'
import { and, desc, eq, gt, inArray, isNull, or } from 'drizzle-orm'
import { findNextClasses } from '../calendar/timetable/next-classes.ts'
import type { Tx } from '../db/database.ts'
import { type ExcuseTarget, excuseStudent, removeExcuse } from '../calendar/excuses/excuses.ts'
import { excuses } from '../calendar/excuses/tables.ts'
import { ANSWER_PATTERN, answerByReply } from '../gradings/answers.ts'
import { now, nowIso } from '../lib/clock.ts'
import { formatDay } from '../lib/format-day.ts'
import { notFound } from '../lib/refusal.ts'
import { groupRows, pluck } from '../lib/rows.ts'
import { queueFreeBatch } from '../texting/batches.ts'
import { findHoldersOfPhone } from '../texting/phones.ts'
import { findOptOuts } from '../texting/opt-outs.ts'
import { readTextSettings } from '../texting/settings.ts'
import { messageBatches, messages } from '../texting/tables.ts'
import { withoutPunctuation } from '../texting/conversations/keywords.ts'
import { replyActions } from '../texting/conversations/tables.ts'
import { findHoldersNamedIn } from '../texting/conversations/named-students.ts'

/** OUT excuses students from their next class, and OK acknowledges a cancellation. Other commands
 *  answer a belt-test invitation. */

type IncomingText = { id: string; phone: string; text: string }

/** `holders` are the students that commands from this phone may be about. */
type CommandContext = { dojoId: string; incomingText: IncomingText; holders: PhoneHolder[] }

/** Carries out a text. Returns the answer, or null if the text is not this command after all. */
type Command = (tx: Tx, context: CommandContext) => Promise<string | null>

const COMMANDS: Record<ReplyCommand, Command> = { out: excuseByReply, ok: acknowledge }

export async function runCommand(
  tx: Tx,
  dojoId: string,
  incomingText: IncomingText,
): Promise<void> {
  const { phone, text } = incomingText
  const command = await findCommand(tx, withoutPunctuation(text))
  if (!command) return
  const holders = await findHoldersOfPhone(tx, phone, { mustSeeStudent: true })
  const answer = await command(tx, { dojoId, incomingText, holders })
  if (answer !== null) await sendAnswer(tx, dojoId, phone, answer, holders)
}

async function findCommand(tx: Tx, message: string): Promise<Command | undefined> {
  const word = /^(out|ok|okay)\b/i.exec(message)?.[1]?.toLowerCase()
  if (!word) return ANSWER_PATTERN.test(message) ? answerByReply : undefined
  const name = word === 'out' ? 'out' : 'ok'
  return (await readTextSettings(tx))[`${name}_enabled`] ? COMMANDS[name] : undefined
}

/** A phone that gets more answers than this probably has an autoresponder that answers ours. */
const MAX_ANSWERS_PER_DAY = 10

/** Answers do not count toward the allowance, so parents always get them. */
async function sendAnswer(
  tx: Tx,
  dojoId: string,
  phone: string,
  text: string,
  holders: PhoneHolder[],
) {
  const dayAgo = new Date(now().getTime() - DAY_MS).toISOString()
  const answers = await tx
    .select({ id: messages.id })
    .from(messages)
    .innerJoin(messageBatches, eq(messageBatches.id, messages.batch_id))
    .where(
      and(
        eq(messages.phone, phone),
        isNull(messages.sent_with),
        eq(messageBatches.kind, 'auto_reply'),
        gt(messageBatches.created_at, dayAgo),
      ),
    )
    .limit(MAX_ANSWERS_PER_DAY)
  if (answers.length === MAX_ANSWERS_PER_DAY || (await findOptOuts(tx, [phone])).has(phone)) return
  const students = holders.map(({ student_id }) => ({ id: student_id }))
  await queueFreeBatch(tx, dojoId, { kind: 'auto_reply', text, texts: [{ phone, text, students }] })
}

/** Reads "OUT", "OUT Leo", "Out Leo and Mia". A text with other words is a message to the
 *  instructor, so it names nobody. */
export const findAbsentees = (text: string, holders: readonly PhoneHolder[]): PhoneHolder[] =>
  findHoldersNamedIn(withoutPunctuation(text).replace(/^out\b/i, ''), holders)

async function excuseByReply(tx: Tx, { dojoId, incomingText, holders }: CommandContext) {
  const absentees = findAbsentees(incomingText.text, holders)
  if (absentees.length === 0) return null
  const missedClasses = await findNextClassDay(tx, dojoId, absentees)
  if (missedClasses.length === 0) {
    const verb = absentees.length === 1 ? 'has' : 'have'
    return `${firstNames(pluck(absentees, 'name'))} ${verb} no class in the next two weeks.`
  }
  for (const { student_id, class_id, class_date } of missedClasses)
    await excuseOnce(tx, dojoId, incomingText.id, { student_id, class_id, class_date })
  const rowsByClass = groupRows(missedClasses, ({ class_id }) => class_id)
  return [...rowsByClass.values()].map(describeExcuse).join(' ')
}

type MissedClass = { name: string; class_name: string; class_date: string }

/** "Leo and Mia are excused from Kids on Tuesday." */
function describeExcuse(rows: [MissedClass, ...MissedClass[]]): string {
  const [{ class_name, class_date }] = rows
  const verb = rows.length === 1 ? 'is' : 'are'
  const names = firstNames(pluck(rows, 'name'))
  return `${names} ${verb} excused from ${class_name} on ${formatDay(class_date)}.`
}

async function findNextClassDay(tx: Tx, dojoId: string, absentees: readonly PhoneHolder[]) {
  const nextClassesByStudent = await findNextClasses(tx, dojoId, pluck(absentees, 'student_id'))
  const classDates = absentees.flatMap(({ student_id, name }) =>
    (nextClassesByStudent.get(student_id) ?? []).map(
      ({ class_id, class_name, day: class_date }) => ({
        student_id,
        name,
        class_id,
        class_name,
        class_date,
      }),
    ),
  )
  const [firstDay] = pluck(classDates, 'class_date').toSorted()
  return classDates.filter(({ class_date }) => class_date === firstDay)
}

/** Records nothing if the student is already excused, so that Undo keeps the earlier excuse. */
async function excuseOnce(tx: Tx, dojoId: string, incoming_id: string, target: ExcuseTarget) {
  const { student_id, class_id, class_date } = target
  const whereTarget = and(
    eq(excuses.student_id, student_id),
    eq(excuses.class_id, class_id),
    eq(excuses.class_date, class_date),
  )
  if ((await tx.$count(excuses, whereTarget)) > 0) return
  await excuseStudent(tx, dojoId, target, { source: 'text', created_by: null })
  await tx.insert(replyActions).values({ incoming_id, command: 'out', ...target })
}

/** An OK counts only for a cancellation that was sent within this time. */
const OK_WINDOW_MS = 2 * DAY_MS

const ACKNOWLEDGED_REPLY = 'Thank you. Your instructor can see that you read this.'

/** Marks the last cancellation that was texted to this phone as read. */
async function acknowledge(tx: Tx, { incomingText }: CommandContext): Promise<string | null> {
  if (!/^(ok|okay)$/i.test(withoutPunctuation(incomingText.text))) return null
  const earliestSentAt = new Date(now().getTime() - OK_WINDOW_MS).toISOString()
  const [lastCancellation] = await tx
    .select({ id: messages.id, acknowledged_at: messages.acknowledged_at })
    .from(messages)
    .innerJoin(messageBatches, eq(messageBatches.id, messages.batch_id))
    .where(
      and(
        eq(messages.phone, incomingText.phone),
        isNull(messages.sent_with),
        inArray(messageBatches.kind, BATCH_KINDS.filter(isCancellation)),
        gt(messages.sent_at, earliestSentAt),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(1)
  if (!lastCancellation) return null
  if (lastCancellation.acknowledged_at === null) {
    await setAcknowledged(tx, lastCancellation.id, nowIso())
    await tx
      .insert(replyActions)
      .values({ incoming_id: incomingText.id, command: 'ok', message_id: lastCancellation.id })
  }
  return ACKNOWLEDGED_REPLY
}

const setAcknowledged = (tx: Tx, messageId: string, acknowledged_at: string | null) =>
  tx
    .update(messages)
    .set({ acknowledged_at })
    .where(or(eq(messages.id, messageId), eq(messages.sent_with, messageId)))

export async function undoAction(tx: Tx, id: string): Promise<void> {
  const [action] = await tx.select().from(replyActions).where(eq(replyActions.id, id)).for('update')
  if (!action) throw notFound('Reply')
  if (action.undone_at !== null) return
  const { student_id, class_id, class_date, message_id } = action
  if (student_id && class_id && class_date)
    await removeExcuse(tx, { student_id, class_id, class_date }, 'text')
  if (message_id) await setAcknowledged(tx, message_id, null)
  await tx.update(replyActions).set({ undone_at: nowIso() }).where(eq(replyActions.id, id))
}
