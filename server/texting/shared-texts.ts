import { toCents } from '@tatami/contract/lib/money'
import { TEXT_MAX } from '@tatami/contract/texting/bulk-message'
import {
  type TextSubject,
  fillTemplate,
  type SkipReason,
} from '@tatami/contract/texting/message-types'
import { sql } from 'drizzle-orm'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { invalid } from '../lib/refusal.ts'
import type { Destination } from './destinations.ts'

/** A student's part in a text: to one of the phones that texts about the student go to. */
type Part = TextSubject & { student_id: string | null; phone: string }
/** A student whom a text is about; `amount` is what is to pay for them, in dollars, where it is about fees. */
type StudentInText = { id: string; amount?: number | null | undefined }
/** One text to one phone, about one student or several, in their order; about nobody for a number that is nobody's. */
export type SharedText = { phone: string; text: string; students: StudentInText[] }

/** One text for one phone: the template with the names of all students whose phone it is, and the sum of their amounts (decision 20). 422
 *  where one gets too long, with the name of the call's field that holds the template. */
export function composeTexts(
  template: string,
  parts: readonly Part[],
  field: 'custom_message' | 'text' = 'custom_message',
): SharedText[] {
  const texts = Map.groupBy(parts, ({ phone }) => phone)
    .entries()
    .map(([phone, ofPhone]) => ({
      phone,
      text: fillTemplate(template, ofPhone),
      students: ofPhone.flatMap(({ student_id, amount }) =>
        student_id === null ? [] : [{ id: student_id, amount }],
      ),
    }))
    .toArray()
  const longest = texts.reduce(
    (maxLength, sharedText) => Math.max(maxLength, sharedText.text.length),
    0,
  )
  if (longest > TEXT_MAX)
    throw invalid(
      field,
      `With the names in it, the message is up to ${longest - TEXT_MAX} characters too long`,
    )
  return texts
}

type MessageRow = {
  id: string
  student_id: string | null
  phone: string
  text: string
  sent_with: string | null
  is_shared: boolean
  /** In cents, as the table has it. */
  amount: number | null
}

/** As the column of amounts has it. */
export const inCents = (dollars: number | null | undefined) =>
  typeof dollars === 'number' ? toCents(dollars) : null

/** The rows of a text: the first student's is the text itself, the others name it. */
export function rowsOfText({ phone, text, students }: SharedText): MessageRow[] {
  const id = newId(),
    is_shared = students.length > 1,
    [first, ...otherStudents] = students
  return [
    {
      id,
      student_id: first?.id ?? null,
      phone,
      text,
      sent_with: null,
      is_shared,
      amount: inCents(first?.amount),
    },
    ...otherStudents.map((student) => ({
      id: newId(),
      student_id: student.id,
      phone,
      text,
      sent_with: id,
      is_shared: false,
      amount: inCents(student.amount),
    })),
  ]
}

/** A row and the text that it has had part in. */
type TextRow = TextSubject & { id: string; text_id: string; template: string }
/** A row that is to go to a phone, perhaps another than before. */
type ReaddressedRow = TextRow & Part & { batch_id: string }

/**
 * Puts the rows of a batch together anew, one text for one phone, where some have got another phone and others none. A text that still has
 * the students whom it had stays as it was composed; another names its students anew. `without` are the rows that get no text any more:
 * each is by itself from now on. Answers the rows that are now the texts themselves, each with its phone.
 */
export async function regroup(
  tx: Tx,
  parts: readonly ReaddressedRow[],
  droppedRows: readonly TextRow[],
): Promise<{ id: string; batch_id: string; phone: string }[]> {
  const sizes = new Map(
    Map.groupBy([...parts, ...droppedRows], ({ text_id }) => text_id)
      .entries()
      .map(([id, rows]) => [id, rows.length]),
  )
  const texts = Map.groupBy(parts, ({ batch_id, phone }) => `${batch_id} ${phone}`)
    .values()
    .map((rows) => {
      const [{ text_id }] = rows as [ReaddressedRow]
      const isChanged =
        sizes.get(text_id) !== rows.length || rows.some((row) => row.text_id !== text_id)
      const first = isChanged ? rows[0]! : (rows.find(({ id }) => id === text_id) ?? rows[0]!)
      return { rows, first, isChanged }
    })
    .toArray()
  const changedRows = texts
    .filter(({ isChanged }) => isChanged)
    .flatMap(({ rows, first }) => {
      const text = fill(first.template, rows)
      return rows.map((row) => ({
        id: row.id,
        phone: row.phone,
        text,
        sent_with: row === first ? null : first.id,
        is_shared: row === first && rows.length > 1,
      }))
    })
  const alone = droppedRows.map((row) => ({
    id: row.id,
    text: fill(row.template, [row]),
    sent_with: null,
    is_shared: false,
  }))
  if (changedRows.length + alone.length > 0)
    await tx.execute(sql`update messages m set phone = coalesce(r.phone, m.phone), text = r.text, sent_with = r.sent_with, is_shared = r.is_shared
      from jsonb_to_recordset(${JSON.stringify([...changedRows, ...alone])}::jsonb)
        as r(id uuid, phone text, text text, sent_with uuid, is_shared boolean)
      where m.id = r.id`)
  return texts.map(({ first: { id, batch_id, phone } }) => ({ id, batch_id, phone }))
}

const fill = (template: string, subjects: readonly TextSubject[]) =>
  fillTemplate(template, subjects).slice(0, TEXT_MAX)

type Row = { id: string; student_id: string | null; phone: string | null }

/** Says where each row's text goes now: to the phone it had, where texts about the student still go there, else to another of the
 *  student's that has no row yet; or why to none. */
export function readdress<R extends Row>(
  rows: readonly R[],
  destinationOf: (studentId: string) => Destination,
) {
  const sentRows: (R & { phone: string })[] = [],
    skippedRows: (R & { reason: SkipReason; promised_on?: string | null })[] = []
  for (const [studentId, ofStudent] of Map.groupBy(rows, ({ student_id }) => student_id ?? '')) {
    const { phones, reason, promised_on = null } = destinationOf(studentId)
    const free = phones.filter((phone) => !ofStudent.some((row) => row.phone === phone))
    for (const row of ofStudent) {
      const phone = phones.find((studentPhone) => studentPhone === row.phone) ?? free.shift()
      if (phone === undefined)
        skippedRows.push({ ...row, reason: reason ?? 'no_valid_phone', promised_on })
      else sentRows.push({ ...row, phone })
    }
  }
  return { sent: sentRows, skipped: skippedRows }
}
