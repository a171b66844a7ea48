import { Button, NativeSelect, Paper, Text, Title } from '@mantine/core'
import { type DojoClass, timeRange } from '@tatami/contract/classes/classes'
import type { Student } from '@tatami/contract/students/students'
import { WithRight } from '../ui/with-right.tsx'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import { pluralize } from '../lib/text.ts'
import { studentsInClass } from '../lib/class-groups.ts'
import { PATHS } from '../lib/paths.ts'
import styles from './class-summary.module.css'
import kit from '../ui/kit.module.css'

/** About this many classes fit in the row on a desktop. */
const MAX_CLASSES_IN_VIEW = 6

type FilterProps = { selectedId: string; onSelect: (classId: string) => void }
type SummaryProps = FilterProps & {
  students: readonly Student[] | undefined
  classes: readonly DojoClass[]
}

/** Tapping a class shows only its students, and tapping it again shows all students. If the row of
 *  classes may have to scroll, a select lists the classes, too. */
export function ClassSummary({ students, classes, ...filter }: SummaryProps) {
  const layout = useLayout()
  return (
    <section
      aria-labelledby="students-by-class"
      className={classes.length > 0 ? styles.summary : undefined}
      data-layout={layout}
    >
      <Title order={2} id="students-by-class" className={styles.title}>
        Students by Class
      </Title>
      {classes.length === 0 && (
        <Paper className={`${kit.spread} ${styles.noClasses}`}>
          <Text c="dimmed">
            No classes created yet. Create classes in Class Center to organize students.
          </Text>
          <WithRight right="schedule">
            <Button component={LayoutLink} to={PATHS.classCenter} variant="default">
              Open Class Center
            </Button>
          </WithRight>
        </Paper>
      )}
      {classes.length > 0 && (layout === 'mobile' || classes.length > MAX_CLASSES_IN_VIEW) && (
        <ClassList classes={classes} {...filter} />
      )}
      {classes.length > 0 && (
        <ul className={styles.classes}>
          {classes.map((dojoClass) => (
            <li key={dojoClass.id}>
              <ClassButton
                dojoClass={dojoClass}
                count={students && studentsInClass(dojoClass, students).length}
                {...filter}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

type ListProps = FilterProps & { classes: readonly DojoClass[] }

const ClassList = ({ classes, selectedId, onSelect }: ListProps) => (
  <NativeSelect
    aria-label="Class"
    className={styles.list}
    value={selectedId}
    data={[
      { value: '', label: 'All classes' },
      ...classes.map(({ id, class_name }) => ({ value: id, label: class_name })),
    ]}
    onChange={({ currentTarget }) => onSelect(currentTarget.value)}
  />
)

type ButtonProps = FilterProps & { dojoClass: DojoClass; count: number | undefined }

function ClassButton({ dojoClass, count, selectedId, onSelect }: ButtonProps) {
  const isSelected = dojoClass.id === selectedId
  return (
    <button
      type="button"
      className={`${kit.card} ${styles.class}`}
      aria-pressed={isSelected}
      onClick={() => onSelect(isSelected ? '' : dojoClass.id)}
    >
      <span className={styles.name}>{dojoClass.class_name}</span>
      <span className={styles.details}>
        {count === undefined ? 'Students not loaded' : pluralize(count, 'student')}
      </span>{' '}
      <span className={styles.details}>{timeRange(dojoClass)}</span>
    </button>
  )
}
