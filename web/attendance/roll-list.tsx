import { Button } from '@mantine/core'
import { ShellLink } from '../lib/shell.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import classes from './roll-row.module.css'
import { RollRow } from './roll-row.tsx'
import type { Roll } from './use-roll.ts'

/** Who is enrolled in the chosen class, then who dropped in: to be marked with one tap each. */
export function RollList({ roll, isChosen, canChoose }: { roll: Roll; isChosen: boolean; canChoose: boolean }) {
  const { students, saved, rows } = roll
  if (students.data?.length === 0) {
    return (
      <EmptyState
        action={
          <Button component={ShellLink} to="/students" variant="default">
            Student Center
          </Button>
        }
      >
        No students found. Please add students first.
      </EmptyState>
    )
  }
  if (!isChosen) return canChoose && <EmptyState>Please select a class to see enrolled students.</EmptyState>
  const failed = [students, saved].find(({ isMissing }) => isMissing)
  if (failed) return <ErrorNotice onRetry={failed.retry}>The students could not be loaded.</ErrorNotice>
  if (!rows) return <Skeletons count={6} height={64} label="Loading" />
  return (
    <>
      {rows.every(({ isDropIn }) => isDropIn) && <EmptyState>No students enrolled in this class.</EmptyState>}
      <ul className={classes.roll}>
        {rows.map((row) => (
          <RollRow
            key={row.student.id}
            row={row}
            hasNamesake={rows.some(({ student }) => student.id !== row.student.id && student.name === row.student.name)}
            onMark={(present) => roll.mark([{ subject: row.subject, present }])}
          />
        ))}
      </ul>
    </>
  )
}
