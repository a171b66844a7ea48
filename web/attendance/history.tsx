import { Button, NativeSelect, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { attendanceApi, type ListedRecord } from '@tatami/contract/attendance/attendance'
import { classesApi } from '@tatami/contract/classes/classes'
import { exportsApi } from '@tatami/contract/exports/exports'
import { isCalendarDate } from '@tatami/contract/lib/fields'
import { DownloadCsv } from '../ui/download-csv.tsx'
import { classOptions } from '../lib/class-options.ts'
import { pluralize } from '../lib/text.ts'
import { isStaff, useCurrentUser } from '../lib/current-user.ts'
import { formatDate } from '../lib/dates.ts'
import { useUrlQuery } from '../lib/url-query.ts'
import { usePagedQuery } from '../lib/use-paged-query.ts'
import { endpointQuery } from '../lib/query.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import styles from './history.module.css'
import { Presence } from './presence.tsx'
import kit from '../ui/kit.module.css'

const PAGE_SIZE = 50

type Props = {
  /** True if all records are the user's own, so they do not need names. */
  showsOwnRecords: boolean
}

export function History({ showsOwnRecords }: Props) {
  const layout = useLayout()
  const Records = layout === 'desktop' ? HistoryTable : HistoryCards
  const [filters, setFilters] = useUrlFilters()
  const user = useCurrentUser()
  const { is_guardian, students } = user
  const children = is_guardian && !isStaff(user) ? students : []
  const studentId = children.find(({ id }) => id === filters.studentId)?.id
  const recordFilter = {
    class_id: filters.classId || undefined,
    class_date: isCalendarDate(filters.day) ? filters.day : undefined,
    student_id: studentId,
  }
  const history = usePagedQuery(attendanceApi.list, { limit: PAGE_SIZE, filter: recordFilter })
  const { rows: records, hasNextPage } = history
  const hasRecords = records !== undefined && records.length > 0
  return (
    <section className={`${kit.stack} ${styles.history}`} data-layout={layout}>
      <Title order={2}>Attendance records</Title>
      <div className={styles.bar}>
        <div className={styles.filters}>
          <HistoryFilters
            filters={filters}
            onChange={setFilters}
            students={children.length > 1 ? children : []}
          />
        </div>
        <div className={`${kit.spread} ${styles.summary}`}>
          <p role="status" className={styles.count}>
            {hasRecords &&
              (hasNextPage
                ? `Latest ${pluralize(records.length, 'record')}`
                : pluralize(records.length, 'record'))}
          </p>
          <Button variant="subtle" onClick={() => setFilters(NO_FILTERS)}>
            Clear Filters
          </Button>
          {hasRecords && <DownloadRecords filter={recordFilter} />}
        </div>
      </div>
      {!records && !history.isError && <Skeletons count={6} height={84} label="Loading" />}
      {records?.length === 0 && <EmptyState>No attendance records found</EmptyState>}
      {hasRecords && (
        <div data-outdated={history.isPlaceholderData} className={styles.records}>
          <Records records={records} showsOwnRecords={showsOwnRecords} />
        </div>
      )}
      <MoreRows query={history} error="The attendance records could not be loaded." />
    </section>
  )
}

type RecordFilter = {
  class_id: string | undefined
  class_date: string | undefined
  student_id: string | undefined
}

const DownloadRecords = ({ filter }: { filter: RecordFilter }) => (
  <DownloadCsv
    endpoint={exportsApi.attendance}
    allRows={{ label: 'All attendance records', input: { body: {} } }}
    {...(Object.values(filter).some(Boolean) && {
      visibleRows: { label: 'Filtered records', input: { body: filter } },
    })}
  />
)

const NO_FILTERS = { classId: '', day: '', studentId: '' }
type Filters = typeof NO_FILTERS

/** The names `class` and `date` belong to the dialog (attendance-view.tsx). */
const toUrlQuery = ({ classId, day, studentId }: Partial<Filters>) => ({
  ...(classId !== undefined && { of: classId }),
  ...(day !== undefined && { on: day }),
  ...(studentId !== undefined && { student: studentId }),
})

function useUrlFilters() {
  const [query, changeQuery] = useUrlQuery()
  const filters: Filters = {
    classId: query.get('of') ?? '',
    day: query.get('on') ?? '',
    studentId: query.get('student') ?? '',
  }
  const setFilters = (changes: Partial<Filters>) => changeQuery(toUrlQuery(changes))
  return [filters, setFilters] as const
}

type FiltersProps = {
  filters: Filters
  onChange: (filters: Partial<Filters>) => void
  /** A guardian's children, if there are several. */
  students: readonly { id: string; name: string }[]
}

function HistoryFilters({ filters, onChange, students }: FiltersProps) {
  const { data: classes = [] } = useQuery(endpointQuery(classesApi.list))
  return (
    <div className={`${kit.stackSmall} ${styles.fields}`}>
      {students.length > 0 && (
        <NativeSelect
          label="Filter by child"
          value={filters.studentId}
          onChange={(event) => onChange({ studentId: event.currentTarget.value })}
          data={[
            { value: '', label: 'All children' },
            ...students.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      <NativeSelect
        label="Filter by class"
        value={filters.classId}
        onChange={(event) => onChange({ classId: event.currentTarget.value })}
        data={[{ value: '', label: 'All classes' }, ...classOptions(classes)]}
      />
      <TextInput
        type="date"
        label="Filter by date"
        value={filters.day}
        onChange={(event) => onChange({ day: event.currentTarget.value })}
      />
    </div>
  )
}

const StudentName = ({ id, name }: { id: string; name: string }) => (
  <StudentLink id={id} className={`${kit.name} ${styles.name}`}>
    {name}
  </StudentLink>
)

const HistoryCards = ({ records, showsOwnRecords }: RecordsProps) => (
  <ul className={kit.stackTight}>
    {records.map(
      ({
        id,
        student_id,
        student_name,
        class_name,
        class_time,
        class_date,
        present,
        marked_by,
      }) => (
        <li key={id} className={`${kit.card} ${styles.card}`}>
          {showsOwnRecords ? (
            <span className={`${kit.name} ${styles.name}`}>{class_name}</span>
          ) : (
            <StudentName id={student_id} name={student_name} />
          )}
          <Presence present={present} />
          <span className={`${kit.note} ${styles.details}`}>
            {showsOwnRecords ? class_time : class_name} · {formatDate(class_date)}
          </span>
          <span className={`${kit.note} ${styles.details}`}>
            Marked by {MARKER}
            <MarkerName name={marked_by} />
          </span>
        </li>
      ),
    )}
  </ul>
)

type RecordsProps = { records: ListedRecord[]; showsOwnRecords: boolean }

/** The server sends the name only to people who may manage staff. */
const MarkerName = ({ name }: { name: string | null }) =>
  name !== null && <span className={kit.note}>{` · ${name}`}</span>

/** Only instructors mark attendance (specification, section 2). */
const MARKER = 'Instructor'

const OWN_COLUMNS = ['Class', 'Date', 'Status', 'Marked By']
const COLUMNS = ['Student', ...OWN_COLUMNS]

const HistoryTable = ({ records, showsOwnRecords }: RecordsProps) => (
  <DataTable columns={showsOwnRecords ? OWN_COLUMNS : COLUMNS} className={styles.table}>
    <tbody>
      {records.map(
        ({
          id,
          student_id,
          student_name,
          class_name,
          class_time,
          class_date,
          present,
          marked_by,
        }) => (
          <tr key={id}>
            {!showsOwnRecords && (
              <th scope="row" className={`${kit.name} ${styles.name}`}>
                <StudentName id={student_id} name={student_name} />
              </th>
            )}
            <td>
              {class_name} <span className={`${kit.note} ${styles.details}`}>{class_time}</span>
            </td>
            <td>{formatDate(class_date)}</td>
            <td>
              <Presence present={present} />
            </td>
            <td>
              {MARKER}
              <MarkerName name={marked_by} />
            </td>
          </tr>
        ),
      )}
    </tbody>
  </DataTable>
)
