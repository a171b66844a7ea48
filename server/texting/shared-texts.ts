import { toCents } from '@tatami/contract/lib/money'
import { TEXT_MAX } from '@tatami/contract/texting/bulk-message'
import {
  type MentionedStudent,
  fillTemplate,
  type SkipReason,
} from '@tatami/contract/texting/message-types'
import { sql } from 'drizzle-orm'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { invalid } from '../lib/refusal.ts'
import { groupRows } from '../lib/rows.ts'
import type { Destination } from './destinations.ts'

type Addressee = MentionedStudent & { student_id: string | null; phone: string }
/** `amount` replaces `{amount}` in the text, in dollars. */
type StudentInText = { id: string; amount?: number | null | undefined }
export type SharedText = { phone: string; text: string; students: StudentInText[] }

/** One text per phone names all its students (decision 20). Throws 422 if a text gets too long. */
export function composeTexts(
  template: string,
  addressees: readonly Addressee[],
  field: 'custom_message' | 'text' = 'custom_message',
): SharedText[] {
  const addresseesByPhone = Map.groupBy(addressees, ({ phone }) => phone)
  const texts = [...addresseesByPhone].map(([phone, phoneAddressees]) => ({
    phone,
    text: fillTemplate(template, phoneAddressees),
    students: phoneAddressees.flatMap(({ student_id, amount }) =>
      student_id === null ? [] : [{ id: student_id, amount }],
    ),
  }))
  const excessCharacters = Math.max(0, ...texts.map(({ text }) => text.length - TEXT_MAX))
  if (excessCharacters > 0) {
    const excess = excessCharacters === 1 ? '1 character' : `${excessCharacters} characters`
    throw invalid(field, `With the names in it, the message is up to ${excess} too long`)
  }
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

export const dollarsToCents = (dollars: number | null | undefined) =>
  typeof dollars === 'number' ? toCents(dollars) : null

/** Creates a row for each student of a text, or one row without a student. The first row is the one
 *  that is sent. */
export function createTextRows({ phone, text, students }: SharedText): MessageRow[] {
  const textId = newId()
  const rowStudents: Partial<StudentInText>[] = students.length > 0 ? students : [{}]
  return rowStudents.map((student, index) => ({
    id: index === 0 ? textId : newId(),
    student_id: student.id ?? null,
    phone,
    text,
    sent_with: index === 0 ? null : textId,
    is_shared: index === 0 && students.length > 1,
    amount: dollarsToCents(student.amount),
  }))
}

type TextRow = MentionedStudent & { id: string; text_id: string; template: string }
type ReaddressedRow = TextRow & Addressee & { batch_id: string }

/** Groups rows into one text per phone. Rewords texts whose students have changed, and removes
 *  `droppedRows` from their texts. Returns the row to send for each text. */
export async function regroupTexts(
  tx: Tx,
  rows: readonly ReaddressedRow[],
  droppedRows: readonly TextRow[],
): Promise<{ id: string; batch_id: string; phone: string }[]> {
  const texts = groupByPhone(rows, droppedRows)
  const changedRows = texts.filter(({ isChanged }) => isChanged).flatMap(rewordRows)
  const separateRows = droppedRows.map((row) => ({
    id: row.id,
    text: fillAndTruncate(row.template, [row]),
    sent_with: null,
    is_shared: false,
  }))
  if (changedRows.length + separateRows.length > 0)
    await tx.execute(sql`
      update messages m set phone = coalesce(r.phone, m.phone), text = r.text,
        sent_with = r.sent_with, is_shared = r.is_shared
      from jsonb_to_recordset(${JSON.stringify([...changedRows, ...separateRows])}::jsonb)
        as r(id uuid, phone text, text text, sent_with uuid, is_shared boolean)
      where m.id = r.id`)
  return texts.map(({ sentRow: { id, batch_id, phone } }) => ({ id, batch_id, phone }))
}

type RegroupedText = {
  rows: readonly ReaddressedRow[]
  sentRow: ReaddressedRow
  isChanged: boolean
}

function groupByPhone(
  rows: readonly ReaddressedRow[],
  droppedRows: readonly TextRow[],
): RegroupedText[] {
  const rowCountByText = new Map<string, number>()
  for (const { text_id } of [...rows, ...droppedRows])
    rowCountByText.set(text_id, (rowCountByText.get(text_id) ?? 0) + 1)
  const groups = groupRows(rows, ({ batch_id, phone }) => `${batch_id} ${phone}`)
  return [...groups.values()].map((textRows) => {
    const [firstRow] = textRows
    const isSameText =
      textRows.length === rowCountByText.get(firstRow.text_id) &&
      textRows.every(({ text_id }) => text_id === firstRow.text_id)
    const earlierSentRow = textRows.find(({ id, text_id }) => id === text_id)
    return {
      rows: textRows,
      sentRow: isSameText ? (earlierSentRow ?? firstRow) : firstRow,
      isChanged: !isSameText,
    }
  })
}

function rewordRows({ rows, sentRow }: RegroupedText) {
  const text = fillAndTruncate(sentRow.template, rows)
  return rows.map((row) => ({
    id: row.id,
    phone: row.phone,
    text,
    sent_with: row === sentRow ? null : sentRow.id,
    is_shared: row === sentRow && rows.length > 1,
  }))
}

const fillAndTruncate = (template: string, mentionedStudents: readonly MentionedStudent[]) =>
  fillTemplate(template, mentionedStudents).slice(0, TEXT_MAX)

type AddressedRow = { id: string; student_id: string | null; phone: string | null }

/** A row keeps its phone if the student still gets texts there. Otherwise it gets one of the
 *  student's phones that has no row yet, or is skipped. */
export function readdressRows<Row extends AddressedRow>(
  rows: readonly Row[],
  findDestination: (studentId: string) => Destination,
) {
  const rowsToSend: (Row & { phone: string })[] = []
  const rowsToSkip: (Row & { reason: SkipReason; promised_on?: string | null })[] = []
  const rowsByStudent = Map.groupBy(rows, ({ student_id }) => student_id ?? '')
  for (const [studentId, studentRows] of rowsByStudent) {
    const { phones, reason, promised_on = null } = findDestination(studentId)
    const unusedPhones = phones.filter((phone) => !studentRows.some((row) => row.phone === phone))
    for (const row of studentRows) {
      const currentPhone = phones.find((studentPhone) => studentPhone === row.phone)
      const phone = currentPhone ?? unusedPhones.shift()
      if (phone === undefined)
        rowsToSkip.push({ ...row, reason: reason ?? 'no_valid_phone', promised_on })
      else rowsToSend.push({ ...row, phone })
    }
  }
  return { rowsToSend, rowsToSkip }
}
