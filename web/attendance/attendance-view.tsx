import { Button } from '@mantine/core'
import { IconClipboardCheck, IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { classesApi, type DojoClass } from '@tatami/contract/classes/classes'
import { classDatesBetween } from '@tatami/contract/calendar/timetable'
import { datesOnDayQuery } from '../calendar/dates.ts'
import { currentMinuteOfDay, today } from '../lib/dates.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { isStaff, useCurrentUser } from '../lib/current-user.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { PageHeader, BottomActions } from '../ui/page-header.tsx'
import styles from './attendance-view.module.css'
import { findCurrentOrNextDate } from './current-or-next-date.ts'
import { History } from './history.tsx'
import type { RollPreset } from './mark-dialog.tsx'
import { QuickActions } from './quick-actions.tsx'
import { UnsavedNotice } from './unsaved-notice.tsx'
import kit from '../ui/kit.module.css'

const MarkDialog = lazyComponent(() => import('./mark-dialog.tsx'), 'MarkDialog')

export function AttendanceView() {
  return isStaff(useCurrentUser()) ? <InstructorView /> : <ReadOnlyView />
}

const ReadOnlyView = () => (
  <div className={`${kit.stack} ${styles.screen}`}>
    <PageHeader title="Attendance" />
    <p className={`${kit.line} ${styles.notice}`}>
      <IconInfoCircle size={20} aria-hidden />
      Only instructors can mark attendance
    </p>
    <History showsOwnRecords={!useCurrentUser().is_guardian} />
  </div>
)

function InstructorView() {
  const isDesktop = useLayout() === 'desktop'
  const { data: classes, isUnavailable } = useRetryingQuery(endpointQuery(classesApi.list))
  const loadedClasses = classes ?? (isUnavailable ? [] : undefined)
  const [buttonPreset, setButtonPreset] = useState<RollPreset | null>(null)
  const [urlPreset, clearUrlPreset] = useUrlPreset(loadedClasses)
  const preset = buttonPreset ?? urlPreset
  const close = () => {
    setButtonPreset(null)
    if (urlPreset && !buttonPreset) clearUrlPreset()
  }
  const markButton = (
    <Button
      leftSection={<IconClipboardCheck size={20} aria-hidden />}
      onClick={() => setButtonPreset({})}
      {...MarkDialog.preloadOnHover}
    >
      Mark Attendance
    </Button>
  )
  return (
    <div className={`${kit.stack} ${styles.screen}`}>
      <PageHeader title="Attendance">{isDesktop && markButton}</PageHeader>
      <UnsavedNotice />
      <QuickActions onMark={(classId) => setButtonPreset({ classId })} />
      <div className={loadedClasses ? undefined : styles.hidden}>
        <History showsOwnRecords={false} />
      </div>
      <BottomActions>{markButton}</BottomActions>
      {preset && <MarkDialog preset={preset} isFromUrl={buttonPreset === null} onClose={close} />}
    </div>
  )
}

/** `?class=next` opens the current or next class. A shortcut of the installed app uses it. */
const NEXT_CLASS = 'next'

/** Returns today's class dates, or undefined while they load. */
function useTodaysDates(classes: readonly DojoClass[] | undefined, isEnabled: boolean) {
  const day = today()
  const { data: dates, isUnavailable } = useRetryingQuery({
    ...datesOnDayQuery(day),
    enabled: isEnabled,
  })
  if (dates) return dates
  if (!isUnavailable || !classes) return undefined
  return classDatesBetween({ classes, exceptions: [], holidays: [] }, day, day)
}

/** Reads the roll to open from `?class=…&date=…`. `classes` is undefined while loading. */
function useUrlPreset(classes: readonly DojoClass[] | undefined) {
  const [params, setParams] = useSearchParams()
  const { state } = useLocation() as { state: unknown }
  const navigate = useNavigate()
  const classParam = params.get('class')
  const day = params.get('date')
  const isNextClass = classParam === NEXT_CLASS
  const todaysDates = useTodaysDates(classes, isNextClass)
  const now = { day: today(), minute: currentMinuteOfDay() }
  const nextClassId = findCurrentOrNextDate(todaysDates ?? [], now)?.class_id
  const classId = isNextClass ? nextClassId : classParam
  const hasPreset = isNextClass ? todaysDates !== undefined : Boolean(classParam || day)
  const preset: RollPreset | null = hasPreset
    ? { ...(classId && { classId }), ...(day && { day }) }
    : null
  // True if a link in the app opened this page. Otherwise, going back would leave the app.
  const { isLinked } = Object(state) as { isLinked?: boolean }
  const removeParams = () =>
    setParams(
      (newParams) => {
        newParams.delete('class')
        newParams.delete('date')
        return newParams
      },
      { replace: true, state },
    )
  return [preset, isLinked ? () => void navigate(-1) : removeParams] as const
}
