import { Stack } from '@mantine/core'
import type { ReactNode, Ref, SubmitEventHandler } from 'react'
import { NewPasswordField } from './new-password-field.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'

type Props = {
  onSubmit: SubmitEventHandler<HTMLFormElement>
  label: string
  field: object
  ownNames?: readonly string[]
  fieldRef?: Ref<HTMLInputElement>
  busy: boolean
  error: ReactNode
  submit: string
  submitting: string
  children?: ReactNode
}

export const ChoosePasswordForm = ({
  onSubmit,
  label,
  field,
  fieldRef,
  ownNames = [],
  busy,
  error,
  submit,
  submitting,
  children,
}: Props) => (
  <form noValidate onSubmit={onSubmit}>
    <Stack gap="md">
      {children}
      <NewPasswordField
        {...field}
        ref={fieldRef}
        label={label}
        description="At least 8 characters"
        ownNames={ownNames}
      />
      <ErrorNotice>{error}</ErrorNotice>
      <BusyButton type="submit" fullWidth busy={busy} busyLabel={submitting}>
        {submit}
      </BusyButton>
    </Stack>
  </form>
)
