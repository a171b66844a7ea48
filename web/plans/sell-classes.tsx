import { Button } from '@mantine/core'
import { isForVisits, plansApi } from '@tatami/contract/plans/plans'
import type { Student } from '@tatami/contract/students/students'
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useState } from 'react'
import { useCan } from '../lib/current-user.ts'
import { endpointQuery } from '../lib/query.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'

const PackDialog = lazyComponent(() => import('./pack-dialog.tsx'), 'PackDialog')

const OpenSaleContext = createContext<(student: Student) => void>(() => {})

/** Opens the dialog beside its children, because a form must not be inside the form of the roll. */
export function SellingClasses({ children }: { children: ReactNode }) {
  const [buyer, setBuyer] = useState<Student | null>(null)
  return (
    <OpenSaleContext value={setBuyer}>
      {children}
      {buyer && <PackDialog student={buyer} onClose={() => setBuyer(null)} />}
    </OpenSaleContext>
  )
}

type ButtonProps = { student: Student; className?: string | undefined }

/** Shows nothing to staff who may not sell, and in a school that sells no classes. */
export function SellButton({ student, className }: ButtonProps) {
  const openSale = use(OpenSaleContext)
  const can = useCan()
  const maySell = can(['students.edit', 'money.take'])
  const { data: plans = [] } = useQuery({ ...endpointQuery(plansApi.list), enabled: maySell })
  const isSold = plans.some(({ kind, retired_at }) => isForVisits(kind) && retired_at === null)
  if (!maySell || !isSold) return null
  return (
    <Button
      variant="light"
      className={className}
      size="compact-sm"
      aria-label={`Sell classes to ${student.name}`}
      onPointerDown={PackDialog.preload}
      onClick={() => openSale(student)}
    >
      Sell
    </Button>
  )
}
