import { Divider, Stack } from '@mantine/core'
import { profileApi, settingsForm } from '@tatami/contract/profile'
import { useState } from 'react'
import { Invitation } from '../dojos/invitation.tsx'
import { explain } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { session } from '../lib/session.ts'
import { useDraft } from '../lib/use-draft.ts'
import { FormNotice } from '../ui/form-notice.tsx'
import { useUser } from '../students/user.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { LogInAgain } from './log-in-again.tsx'
import { SettingsFields } from './settings-fields.tsx'
import { settingsOf, settingsToWire } from './settings-form.ts'

/** What instructors change about themselves and their dojo, and how students come to it. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const user = useUser()
  const [before] = useState(() => settingsOf(user))
  const form = useSchemaForm(settingsForm, before, settingsToWire(before))
  useDraft('settings', form)
  const update = useEndpointMutation(profileApi.update, { onSuccess: session.stayUntilLeft, onError: form.showRefusal })
  const save = form.send(({ retype_password: _, ...body }) => update.isPending || update.mutate({ body }))
  if (update.isSuccess) return <LogInAgain />
  return (
    <Sheet
      opened
      onClose={onClose}
      title="Instructor settings"
      onSubmit={save}
      busy={update.isPending}
      unsent={form.isDirty()}
      actions={
        <>
          <FormNotice>{update.isError && explain(update.error, 'Failed to update profile')}</FormNotice>
          <CancelButton />
          <BusyButton type="submit" busy={update.isPending} busyLabel="Saving...">
            Save Changes
          </BusyButton>
        </>
      }
    >
      <Stack gap="lg">
        <SettingsFields name={user.name} timeZone={before.time_zone} form={form} />
        <Divider />
        <Invitation />
      </Stack>
    </Sheet>
  )
}
