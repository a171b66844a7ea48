import type { Analytics } from '@tatami/contract/dashboard'
import { capitalize } from '../lib/text.ts'
import { BarTable } from './bar-table.tsx'

type Counted = Analytics['belts']

const largestOf = (counted: Counted) => Math.max(1, ...counted.map(({ students }) => students))

/** Bars in the colours of the belts; the word says the same. */
export const BeltChart = ({ belts }: { belts: Counted }) => (
  <BarTable
    heads={['Belt', 'Students']}
    rows={belts.map(({ label, students }) => ({
      label: capitalize(label),
      said: String(students),
      share: students / largestOf(belts),
      colour: `var(--belt-${label})`,
    }))}
  />
)

/** Who is not known is only worth a row when there is somebody. */
const isWorthARow = ({ label, students }: Counted[number]) => students > 0 || label.toLowerCase() !== 'not known'

export const PeopleChart = ({ what, counted }: { what: string; counted: Counted }) => (
  <BarTable
    heads={[what, 'Students']}
    rows={counted
      .filter(isWorthARow)
      .map(({ label, students }) => ({ label: capitalize(label), said: String(students), share: students / largestOf(counted) }))}
  />
)
