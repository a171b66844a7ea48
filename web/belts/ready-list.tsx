import { Button, Checkbox } from '@mantine/core'
import type { Readiness, ReadyStudent } from '@tatami/contract/belts/readiness'
import { type ReactNode, useId } from 'react'
import { useCan } from '../lib/current-user.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { useIsTable } from '../lib/use-is-table.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { GROUP_TITLES, GROUPS } from './ready-groups.ts'
import styles from './ready-list.module.css'
import { ReadyCards, ReadyTable, type RowProps } from './ready-rows.tsx'
import kit from '../ui/kit.module.css'

const MIN_TABLE_WIDTH = '62em'
const OPEN_GROUPS = GROUPS.slice(0, 3)

type Props = RowProps & {
  groups: Record<Readiness, ReadyStudent[]>
  hasStudents: boolean
  onShowAll: () => void
}

export function ReadyGroups({ groups, hasStudents, onShowAll, ...rows }: Props) {
  const Rows = useIsTable(MIN_TABLE_WIDTH) ? ReadyTable : ReadyCards
  if (!hasStudents) return <NoStudents />
  if (GROUPS.every((group) => groups[group].length === 0))
    return (
      <EmptyState
        action={
          <Button variant="default" onClick={onShowAll}>
            Show all
          </Button>
        }
      >
        No results
      </EmptyState>
    )
  const isNoOneReady = groups.ready.length === 0 && groups.instructor_decides.length === 0
  return (
    <>
      {isNoOneReady && <p className={kit.muted}>No one is ready yet.</p>}
      {OPEN_GROUPS.map(
        (group) =>
          groups[group].length > 0 && (
            <Group key={group} title={GROUP_TITLES[group]} students={groups[group]} {...rows}>
              <Rows students={groups[group]} {...rows} />
            </Group>
          ),
      )}
      <div>
        {GROUPS.slice(OPEN_GROUPS.length).map(
          (group) =>
            groups[group].length > 0 && (
              <Disclosure key={group} summary={`${GROUP_TITLES[group]} (${groups[group].length})`}>
                <Rows students={groups[group]} {...rows} />
              </Disclosure>
            ),
        )}
      </div>
    </>
  )
}

type GroupProps = RowProps & {
  title: string
  students: readonly ReadyStudent[]
  children: ReactNode
}

function Group({ title, students, selectedIds, onSelect, children }: GroupProps) {
  const can = useCan()
  const heading = useId()
  const ids = students.filter(({ next }) => next).map(({ student_id }) => student_id)
  const selectedCount = ids.filter((id) => selectedIds.has(id)).length
  return (
    <section className={kit.stackTight} aria-labelledby={heading}>
      <div className={`${kit.spread} ${styles.head}`}>
        <h2 id={heading} className={kit.title}>
          {title} <span className={kit.count}>{students.length}</span>
        </h2>
        {ids.length > 0 && can('belts.promote') && (
          <Checkbox
            size="md"
            label={
              selectedCount === 0
                ? `Select all ${ids.length}`
                : `${selectedCount} of ${ids.length} selected`
            }
            aria-label={`Select all: ${title}`}
            checked={selectedCount === ids.length}
            indeterminate={selectedCount > 0 && selectedCount < ids.length}
            onChange={(event) => onSelect(ids, event.currentTarget.checked)}
          />
        )}
      </div>
      {children}
    </section>
  )
}

const NoStudents = () => (
  <EmptyState
    action={
      <Button variant="default" component={LayoutLink} to="/students">
        Open Student Center
      </Button>
    }
  >
    No students yet. Once they train, you’ll see here who is ready for the next belt.
  </EmptyState>
)
