import { Button } from '@mantine/core'
import { IconChecklist, IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { pageOf } from '../kernel/shell.tsx'
import { useUser } from '../students/user.ts'
import { PageHeader } from '../ui/page-header.tsx'
import classes from './attendance-view.module.css'
import { History } from './history.tsx'
import { MarkDialog, type Preset } from './mark-dialog.tsx'
import { QuickActions } from './quick-actions.tsx'
import { UnsavedNotice } from './unsaved-notice.tsx'

/** The Attendance screen. It also stands in place of the Student Center. */
export function AttendanceView() {
  return useUser().is_instructor ? <Instructors /> : <Students />
}

const Students = () => (
  <div className={classes.screen}>
    <PageHeader title="Attendance" />
    <p className={classes.notice}><IconInfoCircle size={20} aria-hidden />Only instructors can mark attendance</p>
    <History isOwn />
  </div>
)

function Instructors() {
  const [asked, setAsked] = useState<Preset | null>(null)
  const isInPlace = pageOf(useLocation().pathname) !== '/attendance'
  const [inUrl, forgetUrl] = useUrlPreset()
  const opened = asked ?? inUrl
  const close = () => {
    setAsked(null)
    if (inUrl) forgetUrl()
  }
  return (
    <div className={classes.screen}>
      <PageHeader title="Attendance" subtitle="Who is here?" ownTitle={isInPlace} />
      <UnsavedNotice />
      <QuickActions onMark={(classId) => setAsked({ classId })} />
      <History isOwn={false} />
      <div className={classes.act}><Button fullWidth leftSection={<IconChecklist size={20} aria-hidden />} onClick={() => setAsked({})}>Mark Attendance</Button></div>
      {opened && <MarkDialog preset={opened} onClose={close} />}
    </div>
  )
}

/** `?class=…&date=…` opens the dialog as it says. */
function useUrlPreset() {
  const [params, setParams] = useSearchParams()
  const { state } = useLocation() as { state: unknown }
  const classId = params.get('class'), day = params.get('date')
  const preset: Preset | null = classId || day ? { ...(classId && { classId }), ...(day && { day }) } : null
  const forget = () => setParams((all) => {
    all.delete('class')
    all.delete('date')
    return all
  }, { replace: true, state })
  return [preset, forget] as const
}
