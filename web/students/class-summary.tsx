import { Button, Paper, Text, Title } from '@mantine/core'
import { type DojoClass, timeRange } from '@tatami/contract/classes/classes'
import type { Student } from '@tatami/contract/students/students'
import { LayoutLink } from '../lib/layout-link.tsx'
import { pluralize } from '../lib/text.ts'
import { studentsOf } from '../lib/class-groups.ts'
import { PATHS } from '../lib/paths.ts'
import styles from './class-summary.module.css'
import kit from '../ui/kit.module.css'

type SummaryProps = { students: readonly Student[] | undefined; classes: readonly DojoClass[] }

export const ClassSummary = ({ students, classes }: SummaryProps) => (
  <section aria-labelledby="students-by-class">
    <Title order={2} id="students-by-class" className={styles.title}>
      Students by Class
    </Title>
    {classes.length === 0 && (
      <Paper className={`${kit.spread} ${styles.noClasses}`}>
        <Text c="dimmed">
          No classes created yet. Create classes in Class Center to organize students.
        </Text>
        <Button component={LayoutLink} to={PATHS.classCenter} variant="default">
          Open Class Center
        </Button>
      </Paper>
    )}
    {classes.length > 0 && (
      <ul className={styles.cards}>
        {classes.map((dojoClass) => (
          <li key={dojoClass.id}>
            <ClassCard
              dojoClass={dojoClass}
              count={students && studentsOf(dojoClass, students).length}
            />
          </li>
        ))}
      </ul>
    )}
  </section>
)

/** Scrolls to the class in the list, or to the top of the list if the class has no students. */
const scrollToClass = (id: string) => {
  const heading = document.getElementById(`class-${id}`) ?? document.getElementById('students')
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus({ preventScroll: true })
}

const ClassCard = ({ dojoClass, count }: { dojoClass: DojoClass; count: number | undefined }) => (
  <button
    type="button"
    className={`${kit.card} ${styles.card}`}
    onClick={() => scrollToClass(dojoClass.id)}
  >
    <span className={styles.name}>{dojoClass.class_name}</span>
    <span className={styles.count}>
      {count === undefined ? 'Students not loaded' : pluralize(count, 'student')}
    </span>
    <span className={styles.time}>{timeRange(dojoClass)}</span>
  </button>
)
