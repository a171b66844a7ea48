import type { Student } from '@tatami/contract/students/students'
import { useIsTable } from '../lib/use-is-table.ts'
import { useRenderedCount } from '../lib/rendered-count.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { type PayerGroup, groupFamilies } from './group-families.ts'
import { PaymentCards } from './payment-cards.tsx'
import type { RowTools } from './row-tools.ts'
import type { GetStudentMonth } from './use-payments.ts'

const MIN_TABLE_WIDTH = '62em'
const PaymentTable = lazyComponent(() => import('./payment-table.tsx'), 'PaymentTable', null, {
  showsImmediately: true,
})
if (matchMedia(`(min-width: ${MIN_TABLE_WIDTH})`).matches) PaymentTable.preload()

export type ListProps = {
  entries: readonly PayerGroup[]
  getStudentMonth: GetStudentMonth
  selectedIds: ReadonlySet<string>
  tools: RowTools
}
export type PaymentListProps = Omit<ListProps, 'entries'> & { students: readonly Student[] }

export const PaymentRows = (props: ListProps) =>
  useIsTable(MIN_TABLE_WIDTH) ? <PaymentTable {...props} /> : <PaymentCards {...props} />

export function PaymentList({ students, ...listProps }: PaymentListProps) {
  const count = useRenderedCount(useIsTable(MIN_TABLE_WIDTH) ? 'rows' : 'cards')
  return <PaymentRows entries={groupFamilies(students).slice(0, count)} {...listProps} />
}
