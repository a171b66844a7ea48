import { VisuallyHidden } from '@mantine/core'
import { IconCalendarOff } from '@tabler/icons-react'
import { classesApi, timeRange, upcomingClasses } from '@tatami/contract/classes'
import { excusesApi } from '@tatami/contract/excuses'
import { errorMessage } from '../lib/api.ts'
import { formatWeekdayAndDay, hourNow, today } from '../lib/dates.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice, RetryNotice } from '../ui/notices.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { useExcuse, useTakeBackExcuse } from './excuses.ts'
import styles from './next-class.module.css'

/** A student's enrolled classes; the name where several students stand on one screen. */
type Props = { student: { id: string; enrolled_classes: readonly string[]; name?: string }; noClass: string }

/** The next class of a student, with the way to say that they cannot come. */
export function NextClass({ student, noClass }: Props) {
  const classes = useRetryingQuery(endpointQuery(classesApi.list))
  const excuses = useRetryingQuery(endpointQuery(excusesApi.list, { query: {} }))
  const failed = [classes, excuses].find(({ isUnavailable }) => isUnavailable)
  if (failed) return <RetryNotice onRetry={failed.retry}>The next class could not be loaded.</RetryNotice>
  if (!classes.data || !excuses.data) return <SkeletonBlock height="3.5rem" />
  const mine = classes.data.filter(({ id }) => student.enrolled_classes.includes(id))
  const [next] = upcomingClasses(mine, { day: today(), hour: hourNow() })
  if (!next) return <p className={styles.none}>{noClass}</p>
  const { dojoClass, day } = next
  const isExcused = excuses.data.some((one) => one.student_id === student.id && one.class_id === dojoClass.id && one.class_date === day)
  return (
    <div className={styles.next}>
      <div className={styles.what}>
        <span className={styles.name}>{dojoClass.class_name}</span>
        <span className={styles.about}>
          {dayWords(day)} · {timeRange(dojoClass)}
        </span>
        {isExcused && (
          <span className={styles.excused}>
            <IconCalendarOff size={18} aria-hidden />
            Excused
          </span>
        )}
      </div>
      <ExcuseButton
        target={{ student_id: student.id, class_id: dojoClass.id, class_date: day }}
        isExcused={isExcused}
        name={student.name}
      />
    </div>
  )
}

const dayWords = (day: string) => (day === today() ? 'Today' : formatWeekdayAndDay(day))

type ButtonProps = { target: { student_id: string; class_id: string; class_date: string }; isExcused: boolean; name: string | undefined }

function ExcuseButton({ target, isExcused, name }: ButtonProps) {
  const excuse = useExcuse(),
    takeBack = useTakeBackExcuse()
  const error = excuse.error ?? takeBack.error
  const forStudent = name && <VisuallyHidden>{` (${name})`}</VisuallyHidden>
  return (
    <>
      {isExcused ? (
        <BusyButton variant="default" busy={takeBack.isPending} busyLabel="Saving..." onClick={() => takeBack.mutate({ query: target })}>
          Can come after all{forStudent}
        </BusyButton>
      ) : (
        <BusyButton variant="light" busy={excuse.isPending} busyLabel="Saving..." onClick={() => excuse.mutate({ body: target })}>
          Can’t come{forStudent}
        </BusyButton>
      )}
      <ErrorNotice>{error && errorMessage(error, 'This could not be saved.')}</ErrorNotice>
    </>
  )
}
