import { TextInput, type TextInputProps } from '@mantine/core'

/** An email address used for login; the phone neither capitalises nor corrects it. */
export const EmailField = (props: Omit<TextInputProps, 'type'>) => (
  <TextInput
    label="Email"
    autoComplete="username"
    {...props}
    type="email"
    autoCapitalize="none"
    autoCorrect="off"
    spellCheck={false}
  />
)
