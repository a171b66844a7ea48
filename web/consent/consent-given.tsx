import { Button, Stack, Title } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import classes from './consent-given.module.css'

/** Takes the focus, so that it is read out. */
const takeFocus = (heading: HTMLHeadingElement | null) => heading?.focus()

export const ConsentGiven = () => (
  <Stack gap="md" align="center" ta="center">
    <IconCircleCheck size={48} stroke={1.5} className={classes.sign} aria-hidden />
    <Title order={1} ref={takeFocus} tabIndex={-1} className={classes.title}>
      Consent Submitted Successfully!
    </Title>
    <p className={classes.notice}>The Tatami admin has been notified. To end the messages at any time, reply STOP to one of them.</p>
    <Button component="a" href="/">
      Return to Home
    </Button>
  </Stack>
)
