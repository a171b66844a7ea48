import { Title } from '@mantine/core'
import { IconClipboardCheck } from '@tabler/icons-react'
import { QUICK_ACTION_CLASSES } from '@tatami/contract/attendance'
import { classesApi, classesOn, daysText, timeRange } from '@tatami/contract/classes'
import { today, weekdayOf } from '../lib/dates.ts'
import { endpointQuery } from '../lib/query.ts'
import { useRecoveringQuery } from '../lib/use-recovering-query.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { WaitingBlock } from '../ui/waiting-block.tsx'
import { NoClasses } from './no-classes.tsx'
import classes from './quick-actions.module.css'

/** Marks one of the first classes with a tap less. */
export function QuickActions({ onMark }: { onMark: (classId: string) => void }) {
  const { data, isMissing, retry } = useRecoveringQuery(endpointQuery(classesApi.list))
  const onToday = data ? classesOn(weekdayOf(today()), data) : []
  return (
    <section className={classes.section}>
      <Title order={2}>Quick Actions</Title>
      {isMissing ? (
        <ErrorNotice onRetry={retry}>The classes could not be loaded.</ErrorNotice>
      ) : !data ? (
        <div role="status" aria-label="Loading" className={classes.actions}>
          {Array.from({ length: QUICK_ACTION_CLASSES }, (_, index) => (
            <WaitingBlock key={index} height="4.4375rem" />
          ))}
        </div>
      ) : data.length === 0 ? (
        <div className={classes.none}>
          <NoClasses />
        </div>
      ) : (
        <div className={classes.actions}>
          {data.slice(0, QUICK_ACTION_CLASSES).map((one) => (
            <button key={one.id} type="button" className={classes.action} onClick={() => onMark(one.id)}>
              <IconClipboardCheck size={24} stroke={1.5} aria-hidden />
              <span className={classes.words}>
                <span className={classes.name}>
                  {one.class_name} {onToday.includes(one) && <span className={classes.today}>Today</span>}
                </span>
                <span className={classes.when}>
                  {daysText(one)} · <span className={classes.time}>{timeRange(one)}</span>
                </span>
              </span>
            </button>
          ))}
        </div>
      )}
    </section>
  )
}
