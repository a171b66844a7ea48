import { Button, TextInput } from '@mantine/core'
import { firstName } from '@tatami/contract/lib/name-parts'
import { type StaffPerson, staffApi } from '@tatami/contract/staff/staff'
import { staffGrantForm } from '@tatami/contract/staff/staff-grants'
import { useState } from 'react'
import { progressProps } from '../lib/api.ts'
import { useCurrentUser } from '../lib/current-user.ts'
import { today } from '../lib/dates.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { StaffGrantFields } from './grant-fields.tsx'
import { toRequestBody, toFormValues } from './grant-form.ts'
import styles from './person-dialog.module.css'
import { PERSON_DRAFT } from './staff.tsx'
import { useStaffView } from './use-staff-view.ts'
import kit from '../ui/kit.module.css'

const CertificatesSheet = lazyComponent(
  () => import('./certificates-sheet.tsx'),
  'CertificatesSheet',
)
const OwnershipDialog = lazyComponent(() => import('./ownership-dialog.tsx'), 'OwnershipDialog')

const REFRESH_OPTIONS = { refreshes: [staffApi.list] }

type PersonProps = { person: StaffPerson; onClose: () => void }

type InnerDialog = 'certificates' | 'ownership' | 'end'

/** Edits what a member of staff may do. For a former one, it rehires the person. */
export function PersonDialog({ person, onClose }: PersonProps) {
  const { id } = person
  const isFormer = person.ended_at !== null
  const [innerDialog, setInnerDialog] = useState<InnerDialog | null>(null)
  const form = useSchemaForm(staffGrantForm, toFormValues(person), toRequestBody)
  useDraft(PERSON_DRAFT, form, id)
  const save = useEndpointMutation(isFormer ? staffApi.rehire : staffApi.change, {
    ...REFRESH_OPTIONS,
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  const closeInnerDialog = () => setInnerDialog(null)
  // The inner dialogs are outside the form, because submitting them would also submit the form.
  return (
    <>
      <FormDialog
        title={person.name}
        onClose={onClose}
        isDirty={form.isDirty()}
        onSubmit={form.send((body) => save.isPending || save.mutate({ params: { id }, body }))}
        {...progressProps(save, 'That could not be saved. Please try again.')}
        submitLabel={isFormer ? 'Rehire' : 'Save'}
        busyLabel="Saving..."
      >
        <p className={kit.muted}>{person.email}</p>
        {person.is_owner ? (
          <>
            <p>Owners can do everything in the school.</p>
            <TextInput {...form.getInputProps('title')} label="Title" placeholder="Head coach" />
          </>
        ) : (
          <StaffGrantFields
            values={form.values}
            errors={form.errors}
            nameInSentence={firstName(person.name)}
            onChange={form.setValues}
          />
        )}
        {!isFormer && <PersonActions person={person} onOpen={setInnerDialog} />}
      </FormDialog>
      {innerDialog === 'certificates' && (
        <CertificatesSheet person={person} onClose={closeInnerDialog} />
      )}
      {innerDialog === 'ownership' && (
        <OwnershipDialog person={person} onClose={closeInnerDialog} />
      )}
      {innerDialog === 'end' && (
        <EndDialog person={person} onClose={closeInnerDialog} onEnded={onClose} />
      )}
    </>
  )
}

type ActionsProps = { person: StaffPerson; onOpen: (dialog: InnerDialog) => void }

function PersonActions({ person: { id, name, is_owner }, onOpen }: ActionsProps) {
  const { id: ownId, staff } = useCurrentUser()
  const { startPreview, isPending } = useStaffView()
  const givenName = firstName(name)
  const loseOwnershipLabel = id === ownId ? 'Stop being an owner' : 'Make an instructor'
  return (
    <div className={styles.actions}>
      <Button
        variant="default"
        {...CertificatesSheet.preloadOnHover}
        onClick={() => onOpen('certificates')}
      >
        Certificates
      </Button>
      {staff?.is_owner && !is_owner && (
        <Button
          variant="default"
          disabled={isPending}
          onClick={() => startPreview({ person_id: id })}
        >
          See the school as {givenName}
        </Button>
      )}
      {staff?.is_owner && (
        <Button
          variant="subtle"
          {...OwnershipDialog.preloadOnHover}
          onClick={() => onOpen('ownership')}
        >
          {is_owner ? loseOwnershipLabel : `Make ${givenName} an owner`}
        </Button>
      )}
      {!is_owner && id !== ownId && (
        <Button variant="subtle" color="red" onClick={() => onOpen('end')}>
          End {givenName}’s work
        </Button>
      )}
    </div>
  )
}

type EndProps = PersonProps & { onEnded: () => void }

function EndDialog({ person: { id, name, is_student, is_guardian }, onClose, onEnded }: EndProps) {
  const [lastDay, setLastDay] = useState('')
  const end = useEndpointMutation(staffApi.end, { ...REFRESH_OPTIONS, onSuccess: onEnded })
  const keepsLogin = is_student || is_guardian
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => end.mutate({ params: { id }, body: { ends_on: lastDay || null } })}
      title={`End ${firstName(name)}’s work?`}
      confirmLabel={lastDay ? 'Save the last day' : 'End now'}
      danger
      busyLabel="Ending..."
      {...progressProps(end, 'That could not be saved. Please try again.')}
    >
      <div className={kit.stackSmall}>
        <p>
          {keepsLogin
            ? `${firstName(name)} can still log in to see the family, but no longer sees the school.`
            : `${firstName(name)} will be logged out everywhere and can’t log in anymore.`}{' '}
          Everything they recorded stays under their name.
        </p>
        <TextInput
          type="date"
          label="Last day"
          description="Leave blank to end it now"
          min={today()}
          value={lastDay}
          onChange={({ currentTarget }) => setLastDay(currentTarget.value)}
        />
      </div>
    </ConfirmDialog>
  )
}
