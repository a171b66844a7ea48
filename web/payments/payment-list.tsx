import { useMediaQuery } from '@mantine/hooks'
import type { Student } from '@tatami/contract/students'
import { useDeferredValue } from 'react'
import { useLayout } from '../lib/layout-link.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { type Entry, groupFamilies } from './group-families.ts'
import { PaymentCards } from './payment-cards.tsx'
import type { RowTools } from './row-tools.ts'
import type { FactsOf } from './use-payments.ts'

const WIDE = '(min-width: 62em)'
const PaymentTable = lazyComponent(() => import('./payment-table.tsx').then((part) => part.PaymentTable), null, { atOnce: true })
// A phone does without; elsewhere it comes while the payments do.
if (matchMedia(WIDE).matches) PaymentTable.preload()

/** More than fit on any screen. */
const INITIAL_COUNT = 24

export type ListProps = {
  entries: readonly Entry[]
  factsOf: FactsOf
  selected: ReadonlySet<string>
  tools: RowTools
}
export type PaymentListProps = Omit<ListProps, 'entries'> & { students: readonly Student[] }

/** A table on a wide desktop, else cards. */
export function PaymentRows(props: ListProps) {
  const isWide = useMediaQuery(WIDE, true)
  return useLayout() === 'desktop' && isWide ? <PaymentTable {...props} /> : <PaymentCards {...props} />
}

/** By name; the students of one payer stand together below the payer. */
export function PaymentList({ students, ...rest }: PaymentListProps) {
  // The first screenful renders at once and the rest in a deferred render, which input interrupts.
  const maxEntries = useDeferredValue(Infinity, INITIAL_COUNT)
  return <PaymentRows entries={groupFamilies(students).slice(0, maxEntries)} {...rest} />
}
