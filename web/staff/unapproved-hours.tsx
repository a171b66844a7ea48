import { Button } from '@mantine/core'
import { hoursApi } from '@tatami/contract/staff/hours'
import { payApi, type UnapprovedHours } from '@tatami/contract/staff/pay'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { FramedList, FramedRow } from '../ui/framed-list.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Panel } from '../ui/panel.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import kit from '../ui/kit.module.css'
import { describeTask, describeTimes } from './describe-hours.ts'

const EditHoursDialog = lazyComponent(() => import('./work-dialogs.ts'), 'EditHoursDialog')

/** Hours that are not paid until somebody approves them. */
export function UnapprovedPanel({ entries }: { entries: readonly UnapprovedHours[] }) {
  const [editedId, setEditedId] = useState<string | null>(null)
  const approve = useEndpointMutation(hoursApi.approve, {
    refreshes: [payApi.overview],
    waitsForRefresh: true,
  })
  if (entries.length === 0) return null
  const approvableIds = entries.filter(({ may_approve }) => may_approve).map(({ id }) => id)
  const approveAll = (ids: string[]) =>
    approve.isPending || approve.mutate({ body: { hours_ids: ids } })
  const editedEntry = entries.find(({ id }) => id === editedId)
  return (
    <Panel title={`To approve (${entries.length})`}>
      {approvableIds.length > 1 && (
        <div>
          <BusyButton
            busy={approve.isPending}
            busyLabel="Approving..."
            onClick={() => approveAll(approvableIds)}
          >
            Approve {pluralize(approvableIds.length, 'entry', 'entries')}
          </BusyButton>
        </div>
      )}
      <ErrorNotice>
        {failureMessage(approve, 'The hours could not be approved. Please try again.')}
      </ErrorNotice>
      <FramedList aria-label="Hours to approve">
        {entries.map((entry) => (
          <UnapprovedRow
            key={entry.id}
            entry={entry}
            onApprove={() => approveAll([entry.id])}
            onEdit={() => setEditedId(entry.id)}
          />
        ))}
      </FramedList>
      {editedEntry && (
        <EditHoursDialog
          key={editedEntry.id}
          entry={editedEntry}
          onClose={() => setEditedId(null)}
        />
      )}
    </Panel>
  )
}

type RowProps = { entry: UnapprovedHours; onApprove: () => void; onEdit: () => void }

function UnapprovedRow({ entry, onApprove, onEdit }: RowProps) {
  const times = describeTimes(entry)
  const hiddenDetails = (
    <VisuallyHidden>{` ${entry.person_name}, ${times.join(', ')}`}</VisuallyHidden>
  )
  return (
    <FramedRow
      name={entry.person_name}
      details={[`${describeTask(entry)} · ${times[0]}`, ...times.slice(1)]}
    >
      <div className={kit.wrap}>
        <Button
          variant="subtle"
          aria-haspopup="dialog"
          onClick={onEdit}
          {...EditHoursDialog.preloadOnHover}
        >
          Change{hiddenDetails}
        </Button>
        {entry.may_approve && (
          <Button variant="default" onClick={onApprove}>
            Approve{hiddenDetails}
          </Button>
        )}
      </div>
    </FramedRow>
  )
}
