import { Button, Paper, Text, Title } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { LayoutLink } from '../lib/layout-link.tsx'

/** The way to passkeys and devices, from the settings. */
export const SignInSettingsLink = () => (
  <Paper component="section" aria-labelledby="sign-in-settings">
    <Title order={2} id="sign-in-settings" mb="xs">
      Sign-in and devices
    </Title>
    <Text mb="md">Log in without typing a password, and see where you are signed in.</Text>
    <Button
      component={LayoutLink}
      to="/security"
      variant="default"
      leftSection={<IconShieldCheck size={20} aria-hidden />}
    >
      Passkeys and devices
    </Button>
  </Paper>
)
