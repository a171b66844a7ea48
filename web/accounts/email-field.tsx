import { TextInput, type TextInputProps } from '@mantine/core'

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
