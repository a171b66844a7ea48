import { Button } from '@mantine/core'
import { IconClipboardCheck, IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { pageOf } from '../lib/page-of.ts'
import { useShell } from '../lib/shell.tsx'
import { useUser } from '../students/user.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { ThumbBar } from '../ui/thumb-bar.tsx'
import styles from './attendance-view.module.css'
import { History } from './history.tsx'
import type { Preset } from './mark-dialog.tsx'
import { QuickActions } from './quick-actions.tsx'
import { UnsavedNotice } from './unsaved-notice.tsx'

const MarkDialog = lazyPart(() => import('./mark-dialog.tsx').then((part) => part.MarkDialog))

/** The Attendance screen. It also stands in place of the Student Center. */
export function AttendanceView() {
  return useUser().is_instructor ? <Instructors /> : <Students />
}

const Students = () => (
  <div className={styles.screen}>
    <PageHeader title="Attendance" />
    <p className={styles.notice}>
      <IconInfoCircle size={20} aria-hidden />
      Only instructors can mark attendance
    </p>
    <History isOwn />
  </div>
)

function Instructors() {
  const isInPlace = pageOf(useLocation().pathname) !== '/attendance'
  const isDesktop = useShell() === 'desktop'
  const [asked, setAsked] = useState<Preset | null>(null)
  const [inUrl, leaveUrl] = useUrlPreset()
  const opened = asked ?? inUrl
  const close = () => {
    setAsked(null)
    if (inUrl && !asked) leaveUrl()
  }
  const mainAct = (
    <Button
      leftSection={<IconClipboardCheck size={20} aria-hidden />}
      onClick={() => setAsked({})}
      onPointerEnter={MarkDialog.preload}
      onFocus={MarkDialog.preload}
    >
      Mark Attendance
    </Button>
  )
  return (
    <div className={styles.screen}>
      <PageHeader title="Attendance" ownTitle={isInPlace}>
        {isDesktop && mainAct}
      </PageHeader>
      <UnsavedNotice />
      <QuickActions onMark={(classId) => setAsked({ classId })} />
      <History isOwn={false} />
      <ThumbBar>{mainAct}</ThumbBar>
      {opened && <MarkDialog preset={opened} isInAddress={asked === null} onClose={close} />}
    </div>
  )
}

/** `?class=…&date=…` opens the dialog as it says. Closing it leads back to the screen that linked to it, if one did. */
function useUrlPreset() {
  const [params, setParams] = useSearchParams()
  const { state } = useLocation() as { state: unknown }
  const navigate = useNavigate()
  const classId = params.get('class'),
    day = params.get('date')
  const preset: Preset | null = classId || day ? { ...(classId && { classId }), ...(day && { day }) } : null
  const { isLinked } = Object(state) as { isLinked?: boolean }
  const forget = () =>
    setParams(
      (all) => {
        all.delete('class')
        all.delete('date')
        return all
      },
      { replace: true, state },
    )
  return [preset, isLinked ? () => void navigate(-1) : forget] as const
}
