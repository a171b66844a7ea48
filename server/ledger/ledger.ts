import { sumCents, toDollars } from '@tatami/contract/lib/money'
import type { LineKind, PaymentMethod } from '@tatami/contract/ledger/ledger'
import { and, asc, eq, getTableColumns, isNotNull, type SQL, sql } from 'drizzle-orm'
import { equalsAny, inChunks } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { Member } from '../http/serve.ts'
import { invalid, notFound } from '../lib/refusal.ts'
import { pastVacationsOf, students, type VacationDays } from '../students/tables.ts'
import { ledgerLines } from './tables.ts'

/** A line with its amount in cents, which add up exactly. */
export type Line = Omit<typeof ledgerLines.$inferSelect, 'dojo_id' | 'amount' | 'student_id'> & {
  student_id: string
  cents: number
}
export type NewLine = Pick<Line, 'student_id' | 'charge_id' | 'kind' | 'cents'> &
  Partial<Pick<Line, 'reason' | 'reverses' | 'method'>>

/** What one press does: its lines carry its id, so that they can be taken back together. */
export type Act = {
  id: string
  created_by: string | null
  made_on: string
  method: PaymentMethod | null
  note: string | null
}

type Said = {
  method?: PaymentMethod | null | undefined
  note?: string | null | undefined
  received_on?: string | null | undefined
}

/** A press of somebody; today unless another day is said, which may not be to come. */
export async function newAct(
  tx: Tx,
  caller: Pick<Member, 'id' | 'dojoId'>,
  { method, note, received_on }: Said = {},
): Promise<Act> {
  const today = await todayOf(tx, caller.dojoId)
  if (received_on && received_on > today)
    throw invalid('received_on', 'Date must not be in the future')
  return {
    id: newId(),
    created_by: caller.id,
    made_on: received_on ?? today,
    method: method ?? null,
    note: note ?? null,
  }
}

/** What nobody pressed: the schedule's, and what is taken over from a record. It cannot be undone. */
export const actOfNobody = (made_on: string): Act => ({
  id: newId(),
  created_by: null,
  made_on,
  method: null,
  note: null,
})

/** Money, which has a method; what moves credit or forgives has none. */
const hasMethod = (kind: LineKind) => kind === 'payment' || kind === 'refund'

/** Adds lines to the ledger. Only `writeLines` calls this, which keeps the payment records equal. A line that reverses another keeps its method. */
export const insertLines = (
  tx: Tx,
  { id: act_id, created_by, made_on, method, note }: Act,
  lines: NewLine[],
): Promise<void> =>
  inChunks(
    lines.map(({ cents, ...line }) => ({
      act_id,
      created_by,
      made_on,
      note,
      method: hasMethod(line.kind) && !line.reverses ? method : null,
      ...line,
      amount: toDollars(cents),
    })),
    (some) => tx.insert(ledgerLines).values(some),
  )

const { dojo_id: _, amount: __, ...columns } = getTableColumns(ledgerLines)

/** Oldest first. The lines of deleted students are closed: they count in the books, and no act changes them. */
const findLines = (tx: Tx, where: SQL): Promise<Line[]> =>
  tx
    .select({
      ...columns,
      student_id: sql<string>`${ledgerLines.student_id}`,
      cents: sql<number>`${ledgerLines.amount}`,
    })
    .from(ledgerLines)
    .where(and(where, isNotNull(ledgerLines.student_id)))
    .orderBy(asc(ledgerLines.created_at), asc(ledgerLines.id))
export const linesOfCharges = async (tx: Tx, chargeIds: string[]): Promise<Line[]> =>
  chargeIds.length > 0 ? findLines(tx, equalsAny(ledgerLines.charge_id, chargeIds)) : []
export const linesOfStudents = async (tx: Tx, studentIds: string[]): Promise<Line[]> =>
  studentIds.length > 0 ? findLines(tx, equalsAny(ledgerLines.student_id, studentIds)) : []
export const linesOfAct = (tx: Tx, id: string): Promise<Line[]> =>
  findLines(tx, eq(ledgerLines.act_id, id))

export const sumOf = (lines: readonly Pick<Line, 'cents'>[]): number =>
  sumCents(lines.map(({ cents }) => cents))
const ofKinds = (lines: readonly Line[], ...kinds: LineKind[]) =>
  lines.filter((line) => kinds.includes(line.kind))
export const sumOfKinds = (lines: readonly Line[], ...kinds: LineKind[]): number =>
  sumOf(ofKinds(lines, ...kinds))

/** The lines that nothing has taken back and that take nothing back; what was taken back twice stands again. `lines` has all of a charge. */
export function standing(lines: readonly Line[]): Line[] {
  const byId = new Map(lines.map((line) => [line.id, line]))
  const reversed = new Set(lines.map((line) => line.reverses))
  const takesBack = (line: Line): boolean =>
    line.reverses !== null && !takesBack(byId.get(line.reverses)!)
  return lines.filter((line) => !reversed.has(line.id) && !takesBack(line))
}

/** The line that takes this one back. */
export const reversalOf = ({
  id: reverses,
  student_id,
  charge_id,
  kind,
  cents,
  reason,
  method,
}: Line): NewLine => ({
  student_id,
  charge_id,
  kind,
  cents: 0 - cents,
  reason,
  method,
  reverses,
})

/** What says whether a student pays, since when, and how much. */
export const payerColumns = {
  id: students.id,
  is_trial: students.is_trial,
  awaits_approval: students.awaits_approval,
  on_vacation: students.on_vacation,
  vacation_from: students.vacation_from,
  vacation_until: students.vacation_until,
  created_at: students.created_at,
  pays_since: students.pays_since,
  monthly_payment_amount: students.monthly_payment_amount,
  past_vacations: pastVacationsOf(sql`students`),
}
export type LockedStudent = Pick<
  typeof students.$inferSelect,
  Exclude<keyof typeof payerColumns, 'past_vacations'>
> & { past_vacations: VacationDays[] }

/** Makes acts on one student follow each other; 404 where one of them is none of the dojo's. */
export async function lockStudents(tx: Tx, ids: readonly string[]): Promise<LockedStudent[]> {
  const wanted = new Set(ids)
  const found = await lockThere(tx, [...wanted])
  if (found.length < wanted.size) throw notFound('Student')
  return found
}

/** As `lockStudents`, of those who have not been deleted meanwhile. */
export const lockThere = (tx: Tx, ids: string[]): Promise<LockedStudent[]> =>
  tx
    .select(payerColumns)
    .from(students)
    .where(equalsAny(students.id, ids))
    .orderBy(asc(students.id))
    .for('no key update')

/** What an act has done, as its reply says it. */
export const actReply = ({ id }: Act, lines: readonly Pick<NewLine, 'kind' | 'cents'>[]) => ({
  act_id: id,
  total: toDollars(0 - sumOf(lines.filter(({ kind }) => hasMethod(kind)))),
  lines: lines.length,
})
