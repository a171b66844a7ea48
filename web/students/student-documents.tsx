import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { StudentPage } from '@tatami/contract/students/students'
import { useState } from 'react'
import { formatDate } from '../lib/dates.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import styles from './student-notes.module.css'
import { describePhones } from './phone-text.ts'
import kit from '../ui/kit.module.css'
import { WithRight } from '../ui/with-right.tsx'
import { exportsApi } from '@tatami/contract/exports/exports'

const StudentConsents = lazyComponent(
  () => import('./student-consents.tsx'),
  'StudentConsents',
  <SkeletonBlock height="6rem" />,
)

const StudentPapers = lazyComponent(
  () => import('../documents/student-papers.tsx'),
  'StudentPapers',
)

const StudentDataDialog = lazyComponent(
  () => import('../exports/student-data-dialog.tsx'),
  'StudentDataDialog',
)

function describeApplication(isReturned: boolean | null): string {
  if (isReturned === null) return 'Not recorded'
  return isReturned ? 'Yes' : 'No'
}

type Props = { page: StudentPage }

export function StudentDocuments({ page: { student, joined_on, phones, fee_phones } }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className={kit.stackSmall}>
      <dl className={`${kit.stackSmall} ${styles.facts}`}>
        <div>
          <dt>Enrolled</dt>
          <dd>{formatDate(joined_on)}</dd>
        </div>
        <div>
          <dt>Application returned</dt>
          <dd>{describeApplication(student.app_returned)}</dd>
        </div>
        <div>
          <dt>Texts</dt>
          {describePhones(student.name, phones, fee_phones).map((phoneText) => (
            <dd key={phoneText}>{phoneText}</dd>
          ))}
        </div>
      </dl>
      <StudentPapers student={student} />
      <StudentConsents studentId={student.id} />
      <WithRight right={exportsApi.student.right}>
        <div>
          <Button
            variant="default"
            leftSection={<IconDownload size={20} aria-hidden />}
            aria-haspopup="dialog"
            onClick={() => setIsOpen(true)}
            {...StudentDataDialog.preloadOnHover}
          >
            Download data
          </Button>
        </div>
      </WithRight>
      {isOpen && <StudentDataDialog student={student} onClose={() => setIsOpen(false)} />}
    </div>
  )
}
