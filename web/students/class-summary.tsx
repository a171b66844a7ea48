import { Button, Paper, Text, Title } from '@mantine/core'
import { type DojoClass, timeRange } from '@tatami/contract/classes'
import type { Student } from '@tatami/contract/students'
import { ShellLink } from '../lib/shell.tsx'
import { studentsOf } from './class-groups.ts'
import styles from './class-summary.module.css'
import { counted } from '../lib/counted.ts'

type Props = { students: readonly Student[]; classes: readonly DojoClass[] }

/** Each class with how many are in it; a tap goes to them. */
export const ClassSummary = ({ students, classes }: Props) => (
  <section aria-labelledby="students-by-class">
    <Title order={2} id="students-by-class" className={styles.title}>
      Students by Class
    </Title>
    {classes.length === 0 && (
      <Paper className={styles.empty}>
        <Text c="dimmed">No classes created yet. Create classes in Class Center to organize students.</Text>
        <Button component={ShellLink} to="/class-center" variant="default">
          Open Class Center
        </Button>
      </Paper>
    )}
    {classes.length > 0 && (
      <ul className={styles.cards}>
        {classes.map((c) => (
          <li key={c.id}>
            <Card dojoClass={c} count={studentsOf(c, students).length} />
          </li>
        ))}
      </ul>
    )}
  </section>
)

/** To the class, or to the list while the search hides it or nobody is in it. */
const goTo = (id: string) => {
  const heading = document.getElementById(`class-${id}`) ?? document.getElementById('students')
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus({ preventScroll: true })
}

const Card = ({ dojoClass, count }: { dojoClass: DojoClass; count: number }) => (
  <button type="button" className={styles.card} onClick={() => goTo(dojoClass.id)}>
    <span className={styles.name}>{dojoClass.class_name}</span>
    <span className={styles.count}>{counted(count, 'student')}</span>
    <span className={styles.time}>{timeRange(dojoClass)}</span>
  </button>
)
