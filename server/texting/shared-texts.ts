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
import { groupRows } from '../lib/rows.ts'
import type { Destination } from './destinations.ts'

type Part = TextSubject & { student_id: string | null; phone: string }
/** `amount` is in dollars. */
type StudentInText = { id: string; amount?: number | null | undefined }
export type SharedText = { phone: string; text: string; students: StudentInText[] }

/** Fills in the names of all students with that phone (decision 20). 422 if it gets too long. */
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
  amount: number | null
}

export const inCents = (dollars: number | null | undefined) =>
  typeof dollars === 'number' ? toCents(dollars) : null

/** The first student's row is the text; the others refer to it. */
export function rowsOfText({ phone, text, students }: SharedText): MessageRow[] {
  const textId = newId()
  const subjects: Partial<StudentInText>[] = students.length > 0 ? students : [{}]
  return subjects.map((student, index) => ({
    id: index === 0 ? textId : newId(),
    student_id: student.id ?? null,
    phone,
    text,
    sent_with: index === 0 ? null : textId,
    is_shared: index === 0 && students.length > 1,
    amount: inCents(student.amount),
  }))
}

type TextRow = TextSubject & { id: string; text_id: string; template: string }
type ReaddressedRow = TextRow & Part & { batch_id: string }

/**
 * Groups the rows into texts again, one per phone. A text that has other students than before is
 * filled in again. `droppedRows` get no text, and stand alone from now on.
 */
export async function regroup(
  tx: Tx,
  parts: readonly ReaddressedRow[],
  droppedRows: readonly TextRow[],
): Promise<{ id: string; batch_id: string; phone: string }[]> {
  const sizes = new Map<string, number>()
  for (const { text_id } of [...parts, ...droppedRows])
    sizes.set(text_id, (sizes.get(text_id) ?? 0) + 1)
  const groups = groupRows(parts, ({ batch_id, phone }) => `${batch_id} ${phone}`)
  const texts = [...groups.values()].map((rows) => {
    const [firstRowOfText] = rows
    const { text_id } = firstRowOfText
    const isChanged =
      sizes.get(text_id) !== rows.length || rows.some((row) => row.text_id !== text_id)
    const keptRow = isChanged ? undefined : rows.find(({ id }) => id === text_id)
    return { rows, first: keptRow ?? firstRowOfText, isChanged }
  })
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
    await tx.execute(sql`
      update messages m set phone = coalesce(r.phone, m.phone), text = r.text,
        sent_with = r.sent_with, is_shared = r.is_shared
      from jsonb_to_recordset(${JSON.stringify([...changedRows, ...alone])}::jsonb)
        as r(id uuid, phone text, text text, sent_with uuid, is_shared boolean)
      where m.id = r.id`)
  return texts.map(({ first: { id, batch_id, phone } }) => ({ id, batch_id, phone }))
}

const fill = (template: string, subjects: readonly TextSubject[]) =>
  fillTemplate(template, subjects).slice(0, TEXT_MAX)

type Row = { id: string; student_id: string | null; phone: string | null }

/** Keeps the phone if it is still right, or else takes another of the student's. */
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
