import { Button } from '@mantine/core'
import { IconClipboardCheck, IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { classesApi } from '@tatami/contract/classes'
import { pageOf } from '../lib/layout.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { useCurrentUser } from '../lib/current-user.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { PageHeader, BottomActions } from '../ui/page-header.tsx'
import styles from './attendance-view.module.css'
import { History } from './history.tsx'
import type { Preset } from './mark-dialog.tsx'
import { QuickActions } from './quick-actions.tsx'
import { UnsavedNotice } from './unsaved-notice.tsx'

const MarkDialog = lazyComponent(() => import('./mark-dialog.tsx').then((part) => part.MarkDialog))

/** The Attendance screen. It is also shown inside the Student Center. */
export function AttendanceView() {
  return useCurrentUser().is_instructor ? <InstructorView /> : <StudentView />
}

/** A student's own attendance, or that of a guardian's students. */
const StudentView = () => (
  <div className={styles.screen}>
    <PageHeader title="Attendance" />
    <p className={styles.notice}>
      <IconInfoCircle size={20} aria-hidden />
      Only instructors can mark attendance
    </p>
    <History isOwn={!useCurrentUser().is_guardian} />
  </div>
)

function InstructorView() {
  const isEmbedded = pageOf(useLocation().pathname) !== '/attendance'
  const isDesktop = useLayout() === 'desktop'
  const { data: classes, isUnavailable } = useRetryingQuery(endpointQuery(classesApi.list))
  const areClassesKnown = classes !== undefined || isUnavailable
  const [requested, setRequested] = useState<Preset | null>(null)
  const [urlPreset, clearUrlPreset] = useUrlPreset()
  const preset = requested ?? urlPreset
  const close = () => {
    setRequested(null)
    if (urlPreset && !requested) clearUrlPreset()
  }
  const markButton = (
    <Button
      leftSection={<IconClipboardCheck size={20} aria-hidden />}
      onClick={() => setRequested({})}
      onPointerEnter={MarkDialog.preload}
      onFocus={MarkDialog.preload}
    >
      Mark Attendance
    </Button>
  )
  return (
    <div className={styles.screen}>
      <PageHeader title="Attendance" ownTitle={isEmbedded}>
        {isDesktop && markButton}
      </PageHeader>
      <UnsavedNotice />
      <QuickActions onMark={(classId) => setRequested({ classId })} />
      <div className={areClassesKnown ? undefined : styles.waiting}>
        <History isOwn={false} />
      </div>
      <BottomActions>{markButton}</BottomActions>
      {preset && <MarkDialog preset={preset} isFromUrl={requested === null} onClose={close} />}
    </div>
  )
}

/** The dialog's preset from `?class=…&date=…`, and how to leave it: back to the screen that linked here, or by removing the parameters. */
function useUrlPreset() {
  const [params, setParams] = useSearchParams()
  const { state } = useLocation() as { state: unknown }
  const navigate = useNavigate()
  const classId = params.get('class'),
    day = params.get('date')
  const preset: Preset | null = classId || day ? { ...(classId && { classId }), ...(day && { day }) } : null
  const { isLinked } = Object(state) as { isLinked?: boolean }
  const removeParams = () =>
    setParams(
      (all) => {
        all.delete('class')
        all.delete('date')
        return all
      },
      { replace: true, state },
    )
  return [preset, isLinked ? () => void navigate(-1) : removeParams] as const
}
