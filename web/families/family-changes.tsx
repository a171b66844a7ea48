import { Text, Title } from '@mantine/core'
import { familiesApi, type FamilyChange } from '@tatami/contract/families/families'
import type { Guardian } from '@tatami/contract/guardians/guardians'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { formatInstantDate } from '../lib/dates.ts'
import { useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { formatPhone } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { StudentLinks } from '../ui/student-link.tsx'
import { ActionRow, ActionRows } from '../ui/action-rows.tsx'
import styles from './families-view.module.css'
import { changesQuery, useGuardian, useRefreshFamilies } from './use-families.ts'
import kit from '../ui/kit.module.css'

export function FamilyChanges() {
  const { data = [] } = useRetryingQuery(changesQuery)
  if (data.length === 0) return null
  return (
    <section className={`${kit.card} ${styles.panel}`} aria-labelledby="family-changes">
      <Title order={2} id="family-changes">
        Recently created families
      </Title>
      <ActionRows>
        {data.map((change) => (
          <FamilyChangeRow key={change.id} change={change} />
        ))}
      </ActionRows>
    </section>
  )
}

/** Undo deletes a guardian who was created with the family and has no other students. It asks for
 *  confirmation first. */
function FamilyChangeRow({ change }: { change: FamilyChange }) {
  const refresh = useRefreshFamilies()
  const { guardian } = useGuardian(change.guardian_id)
  const [isConfirming, setConfirming] = useState(false)
  const undo = useEndpointMutation(familiesApi.undo, { onSuccess: refresh })
  const familyIds = new Set(change.students.map(({ student_id }) => student_id))
  const hasOtherStudents =
    guardian?.students.some(({ student_id }) => !familyIds.has(student_id)) ?? false
  const deletesGuardian = change.is_new_guardian && !hasOtherStudents
  const undoFamily = () => undo.mutate({ params: { id: change.id } })
  const error = failureMessage(undo, 'That couldn’t be undone. Please try again.')
  const confirmDialog = (
    <ConfirmDialog
      opened={isConfirming}
      onClose={() => setConfirming(false)}
      onConfirm={undoFamily}
      title={`Undo the family of ${change.guardian_name}?`}
      confirmLabel="Undo"
      busy={undo.isPending}
      busyLabel="Undoing..."
      danger
      error={error || null}
    >
      <Text fw={600} mb="sm">
        {change.guardian_name} will be deleted{guardian && describeLosses(change, guardian)}.
      </Text>
      <Text>Links, payers and logins go back to how they were. This cannot be undone.</Text>
    </ConfirmDialog>
  )
  return (
    <ActionRow
      name={change.guardian_name}
      details={[
        <>
          <StudentLinks students={change.students} as="sentence" /> · can be undone until{' '}
          {formatInstantDate(change.undo_until)}
        </>,
      ]}
      actions={
        <>
          <BusyButton
            variant="default"
            aria-label={`Undo the family of ${change.guardian_name}`}
            busy={undo.isPending}
            busyLabel="Undoing..."
            onClick={deletesGuardian ? () => setConfirming(true) : undoFamily}
          >
            Undo
          </BusyButton>
          {confirmDialog}
        </>
      }
      error={!isConfirming && error}
    />
  )
}

function describeLosses(
  { students }: FamilyChange,
  { has_log_in, phone, students: links }: Guardian,
): string {
  const isLoginMoved = students.some(({ log_in }) => log_in === 'move')
  const losses = [
    has_log_in && !isLoginMoved ? 'the login' : '',
    links.some(({ note }) => note !== null) ? 'your notes' : '',
    phone
      ? `the conversation and consents of ${formatPhone(phone)}, unless somebody shares the number`
      : '',
  ].filter((loss) => loss !== '')
  return losses.length === 0 ? '' : `, with ${new Intl.ListFormat('en').format(losses)}`
}
