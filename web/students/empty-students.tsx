import { Button } from '@mantine/core'
import type { DojoClass } from '@tatami/contract/classes/classes'
import type { Student } from '@tatami/contract/students/students'
import { importApi } from '@tatami/contract/import/import'
import { WithRight } from '../ui/with-right.tsx'
import { LayoutLink } from '../lib/layout-link.tsx'
import { PATHS } from '../lib/paths.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import styles from './student-list.module.css'
import kit from '../ui/kit.module.css'

type Props = {
  students: readonly Student[]
  classes: readonly DojoClass[]
  onEnroll: () => void
  onRetry?: () => void
  onShowAll: () => void
}

export function EmptyStudents({ students, classes, onEnroll, onRetry, onShowAll }: Props) {
  const isNewDojo = !onRetry && students.length === 0
  const action = (
    <div className={`${kit.wrap} ${styles.firstSteps}`}>
      {onRetry && <DefaultButton onClick={onRetry}>Try again</DefaultButton>}
      {isNewDojo && <FirstSteps hasClasses={classes.length > 0} onEnroll={onEnroll} />}
      {!onRetry && !isNewDojo && (
        <DefaultButton onClick={onShowAll}>Show all students</DefaultButton>
      )}
    </div>
  )
  return <EmptyState action={action}>No students found</EmptyState>
}

const DefaultButton = (props: { onClick: () => void; children: string }) => (
  <Button variant="default" {...props} />
)

type FirstStepsProps = { hasClasses: boolean; onEnroll: () => void }

/** Without classes, the class summary above already links to the Class Center. */
const FirstSteps = ({ hasClasses, onEnroll }: FirstStepsProps) => (
  <>
    {hasClasses && (
      <WithRight right="students.edit">
        <DefaultButton onClick={onEnroll}>Enroll your first student</DefaultButton>
      </WithRight>
    )}
    <WithRight right={importApi.create.right}>
      <Button component={LayoutLink} to={PATHS.importStudents}>
        Import students
      </Button>
    </WithRight>
  </>
)
