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
import { GrantFields } from './grant-fields.tsx'
import { toGrantBody, toGrantValues } from './grant-form.ts'
import styles from './person-dialog.module.css'
import { PERSON_DRAFT } from './staff.tsx'
import { useStaffView } from './use-staff-view.ts'
import kit from '../ui/kit.module.css'

const OwnershipDialog = lazyComponent(() => import('./ownership-dialog.tsx'), 'OwnershipDialog')

const REFRESHES = { refreshes: [staffApi.list] }

type Props = { person: StaffPerson; onClose: () => void }

/** Changes what somebody may do, or lets a former member of the staff work again. */
export function PersonDialog({ person, onClose }: Props) {
  const { id, name, email, is_owner, ended_at } = person
  const isFormer = ended_at !== null
  const { id: ownId } = useCurrentUser()
  const form = useSchemaForm(staffGrantForm, toGrantValues(person), toGrantBody)
  useDraft(PERSON_DRAFT, form, id)
  const save = useEndpointMutation(isFormer ? staffApi.rehire : staffApi.change, {
    ...REFRESHES,
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title={name}
      onClose={onClose}
      isDirty={form.isDirty()}
      onSubmit={form.send((body) => save.isPending || save.mutate({ params: { id }, body }))}
      {...progressProps(save, 'That could not be saved. Please try again.')}
      submitLabel={isFormer ? 'Re-hire' : 'Save'}
      busyLabel="Saving..."
    >
      <p className={kit.muted}>{email}</p>
      {is_owner ? (
        <>
          <p>Owners may do everything in the school.</p>
          <TextInput {...form.getInputProps('title')} label="Title" placeholder="Head coach" />
        </>
      ) : (
        <GrantFields
          values={form.values}
          errors={form.errors}
          name={firstName(name)}
          onChange={form.setValues}
        />
      )}
      {!isFormer && id !== ownId && <PersonActions person={person} onClose={onClose} />}
      {is_owner && id === ownId && <OwnershipButton person={person} action="remove" />}
    </FormDialog>
  )
}

function PersonActions({ person, onClose }: Props) {
  const { staff } = useCurrentUser()
  const { look, isPending } = useStaffView()
  const [isEnding, setEnding] = useState(false)
  const givenName = firstName(person.name)
  return (
    <div className={styles.actions}>
      {staff?.is_owner && !person.is_owner && (
        <Button
          variant="default"
          disabled={isPending}
          onClick={() => look({ person_id: person.id })}
        >
          See the school as {givenName}
        </Button>
      )}
      {staff?.is_owner && (
        <OwnershipButton person={person} action={person.is_owner ? 'remove' : 'make'} />
      )}
      {!person.is_owner && (
        <Button variant="subtle" color="red" onClick={() => setEnding(true)}>
          End {givenName}’s work
        </Button>
      )}
      {isEnding && <EndDialog person={person} onClose={() => setEnding(false)} onEnded={onClose} />}
    </div>
  )
}

type OwnershipProps = { person: StaffPerson; action: 'make' | 'remove' }

function OwnershipButton({ person, action }: OwnershipProps) {
  const [isOpen, setOpen] = useState(false)
  const { id: ownId } = useCurrentUser()
  const removeLabel = person.id === ownId ? 'Stop being an owner' : 'Make an instructor'
  return (
    <>
      <Button variant="subtle" {...OwnershipDialog.preloadOnHover} onClick={() => setOpen(true)}>
        {action === 'make' ? `Make ${firstName(person.name)} an owner` : removeLabel}
      </Button>
      {isOpen && <OwnershipDialog person={person} action={action} onClose={() => setOpen(false)} />}
    </>
  )
}

type EndProps = Props & { onEnded: () => void }

function EndDialog({ person: { id, name, is_student, is_guardian }, onClose, onEnded }: EndProps) {
  const [lastDay, setLastDay] = useState('')
  const end = useEndpointMutation(staffApi.end, { ...REFRESHES, onSuccess: onEnded })
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
            ? `${firstName(name)} keeps the login for the family, but no longer sees the school.`
            : `${firstName(name)} is logged out everywhere and can’t log in any more.`}{' '}
          Everything they recorded stays, with their name.
        </p>
        <TextInput
          type="date"
          label="Last day"
          description="Empty: now"
          min={today()}
          value={lastDay}
          onChange={({ currentTarget }) => setLastDay(currentTarget.value)}
        />
      </div>
    </ConfirmDialog>
  )
}
