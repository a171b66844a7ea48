import type { DateOrder } from './dates.ts'
import { DATE_ORDERS, isPlaceholderDate, parseDate } from './dates.ts'
import type { RowReader } from './row-reader.ts'

/** Returns null if the sheet does not say when the student left. */
export function readLeavingDay(
  reader: RowReader,
  { order, today }: { order: DateOrder; today: string },
): string | null {
  const orders = [order, ...DATE_ORDERS.filter((dateOrder) => dateOrder !== order)]
  const days = (['left_on', 'has_left', 'status'] as const)
    .flatMap((field) => reader.filledCells(field))
    .filter(({ text }) => !isPlaceholderDate(text, today))
    .flatMap(({ text }) => orders.flatMap((dateOrder) => parseDate(text, dateOrder, today) ?? []))
  return days.find((day) => day <= today) ?? null
}

export const readLeavingReason = (reader: RowReader): string | null =>
  reader.text('left_reason') || null
