import { Button, Stack } from '@mantine/core'
import { kiosksApi, type OwnCheckIn } from '@tatami/contract/kiosk/kiosks'
import { useState } from 'react'
import { progressProps } from '../lib/api.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { FramedList, FramedRow } from '../ui/framed-list.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import styles from './kiosks.module.css'

const OwnPinDialog = lazyComponent(() => import('./own-pin-dialog.tsx'), 'OwnPinDialog')

type Props = { students: OwnCheckIn['students']; onClose: () => void }

export function CheckInSheet({ students, onClose }: Props) {
  const code = useRetryingQuery(endpointQuery(kiosksApi.ownCode))
  const [pinStudentId, setPinStudentId] = useState<string | null>(null)
  const [isNewCodeDialogOpen, setNewCodeDialogOpen] = useState(false)
  const pinStudent = students.find(({ student_id }) => student_id === pinStudentId)
  return (
    <Sheet opened title="Check in at the door" onClose={onClose}>
      <Stack gap="md">
        <p>
          {students.length > 1
            ? 'Show this code to the kiosk. It works for your whole family.'
            : 'Show this code to the kiosk.'}
        </p>
        {code.data && (
          <img className={styles.qr} src={code.data.qr} alt="QR code to check in with" />
        )}
        {!code.data && code.isUnavailable && (
          <RetryNotice onRetry={code.retry}>The code could not be loaded.</RetryNotice>
        )}
        {!code.data && !code.isUnavailable && (
          <SkeletonBlock height="18rem">Loading the code...</SkeletonBlock>
        )}
        <FramedList aria-label="PINs">
          {students.map(({ student_id, name, has_pin }) => (
            <FramedRow
              key={student_id}
              name={name}
              details={[has_pin ? 'Has a PIN' : 'No PIN yet']}
            >
              <Button
                variant="default"
                aria-label={`${has_pin ? 'Change PIN' : 'Get a PIN'}: ${name}`}
                {...OwnPinDialog.preloadOnHover}
                onClick={() => setPinStudentId(student_id)}
              >
                {has_pin ? 'Change PIN' : 'Get a PIN'}
              </Button>
            </FramedRow>
          ))}
        </FramedList>
        <Button variant="subtle" disabled={!code.data} onClick={() => setNewCodeDialogOpen(true)}>
          Get a new code
        </Button>
      </Stack>
      {pinStudent && (
        <OwnPinDialog
          student={{ id: pinStudent.student_id, name: pinStudent.name }}
          hasPin={pinStudent.has_pin}
          onClose={() => setPinStudentId(null)}
        />
      )}
      {isNewCodeDialogOpen && <NewCodeDialog onClose={() => setNewCodeDialogOpen(false)} />}
    </Sheet>
  )
}

function NewCodeDialog({ onClose }: { onClose: () => void }) {
  const renew = useEndpointMutation(kiosksApi.renewCode, {
    refreshes: [kiosksApi.ownCode],
    onSuccess: onClose,
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => renew.mutate()}
      title="Get a new code?"
      confirmLabel="Get a new code"
      busyLabel="Getting a new code..."
      {...progressProps(renew, 'We couldn’t create a new code. Please try again.')}
    >
      The old code stops working right away, and so do pictures of it.
    </ConfirmDialog>
  )
}
