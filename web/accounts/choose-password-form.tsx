import { Stack } from '@mantine/core'
import type { ReactNode, Ref, SubmitEventHandler } from 'react'
import { NewPasswordField } from './new-password-field.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'

type Props = {
  onSubmit: SubmitEventHandler<HTMLFormElement>
  label: string
  inputProps: object
  /** The user's names and email, which a password should not resemble. */
  ownNames?: readonly string[]
  inputRef?: Ref<HTMLInputElement>
  busy: boolean
  error: ReactNode
  submitLabel: string
  busyLabel: string
  children?: ReactNode
}

export const ChoosePasswordForm = ({
  onSubmit,
  label,
  inputProps,
  inputRef,
  ownNames = [],
  busy,
  error,
  submitLabel,
  busyLabel,
  children,
}: Props) => (
  <form noValidate onSubmit={onSubmit}>
    <Stack gap="md">
      {children}
      <NewPasswordField
        {...inputProps}
        ref={inputRef}
        label={label}
        description="At least 8 characters"
        ownNames={ownNames}
      />
      <ErrorNotice>{error}</ErrorNotice>
      <BusyButton type="submit" fullWidth busy={busy} busyLabel={busyLabel}>
        {submitLabel}
      </BusyButton>
    </Stack>
  </form>
)
