import type { StudentFilter } from '@tatami/contract/students/student-search'
import type { ReactNode } from 'react'
import { useLayout } from '../lib/layout-link.tsx'
import { ChoiceFilter } from '../ui/choice-filter.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import styles from './student-list.module.css'
import type { useStudentSearch } from './use-student-search.ts'
import kit from '../ui/kit.module.css'

const STATUS_CHOICES: { value: StudentFilter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'trial', label: 'Trial' },
  { value: 'regular', label: 'Regular' },
  { value: 'vacation', label: 'Students on Vacation' },
  { value: 'former', label: 'Former' },
]

type Props = Omit<ReturnType<typeof useStudentSearch>, 'matches' | 'showAll'> & {
  children: ReactNode
}

export const StudentSearchBar = ({ children, ...state }: Props) => (
  <div className={`${kit.sticky} ${styles.searchBar}`} data-layout={useLayout()}>
    <SearchBox
      value={state.search}
      onChange={state.setSearch}
      onEnter={state.openSingleMatch}
      placeholder="Search students..."
    />
    <ChoiceFilter
      label="Status"
      choices={STATUS_CHOICES}
      value={state.filter}
      onChange={state.setFilter}
    />
    {children}
  </div>
)
