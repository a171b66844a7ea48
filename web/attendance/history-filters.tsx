import { NativeSelect, TextInput } from '@mantine/core'
import { classesApi } from '@tatami/contract/classes'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../lib/query.ts'
import { classOptions } from '../classes/class-options.ts'
import classes from './fields.module.css'

export const NO_FILTERS = { classId: '', day: '' }
export type Filters = typeof NO_FILTERS

/** Deleted classes cannot be asked for; their past stands among all. */
export function HistoryFilters({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const { data: offered = [] } = useQuery(endpointQuery(classesApi.list))
  return (
    <div className={classes.fields}>
      <NativeSelect
        label="Filter by class"
        value={filters.classId}
        onChange={(event) => onChange({ ...filters, classId: event.currentTarget.value })}
        data={[{ value: '', label: 'All classes' }, ...classOptions(offered)]}
      />
      <TextInput
        type="date"
        label="Filter by date"
        value={filters.day}
        onChange={(event) => onChange({ ...filters, day: event.currentTarget.value })}
      />
    </div>
  )
}
