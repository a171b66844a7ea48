import { IconClipboardCheck, IconUserPlus, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { ShellLink, useShell } from '../lib/shell.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Panel } from './panel.tsx'
import styles from './quick-actions.module.css'

const EnrolDialog = lazyComponent(() => import('../students/enrol-dialog.tsx').then((part) => part.EnrolDialog))

export function QuickActions() {
  const [enrolling, setEnrolling] = useState(() => drafts.subjectOf('enrol') !== undefined)
  return (
    <Panel title="Quick Actions">
      <div className={styles.room}>
        <div className={styles.tiles} data-shell={useShell()}>
          <button
            type="button"
            className={styles.tile}
            onClick={() => setEnrolling(true)}
            onPointerEnter={EnrolDialog.preload}
            onFocus={EnrolDialog.preload}
          >
            <IconUserPlus size={24} stroke={1.5} aria-hidden />
            Enroll New Student
          </button>
          <ShellLink to="/students" className={styles.tile}>
            <IconUsers size={24} stroke={1.5} aria-hidden />
            Student Center
          </ShellLink>
          <ShellLink to="/attendance" className={styles.tile}>
            <IconClipboardCheck size={24} stroke={1.5} aria-hidden />
            Mark Attendance
          </ShellLink>
        </div>
      </div>
      {enrolling && <EnrolDialog onClose={() => setEnrolling(false)} />}
    </Panel>
  )
}
