import { Anchor } from '@mantine/core'

export const ForgotPassword = () => (
  <Anchor component="button" type="button" onClick={() => window.alert('Forgot Password - Feature coming soon!')}>Forgot Password</Anchor>
)
