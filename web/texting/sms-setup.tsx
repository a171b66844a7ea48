import { Button, Paper, Stack } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { SERVICE_ERROR_MESSAGES } from '@tatami/contract/message-types'
import { explain } from '../lib/api.ts'
import { ShellLink } from '../lib/shell.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { ConnectTwilio } from './connect-twilio.tsx'
import { ServiceFacts } from './service-facts.tsx'
import { SetupStatus } from './setup-status.tsx'
import { setupState } from './setup-state.ts'
import { SimulatorBanner } from './simulator-banner.tsx'
import classes from './sms-setup.module.css'
import { useInit, useInitBySelf } from './use-init.ts'
import { statusQuery } from './use-sms-status.ts'

/** Whether texts can leave, checked for real: once by itself, after that on request. */
export function SmsSetup() {
  const { data: found, error } = useQuery(statusQuery)
  const { init, isPending, failure } = useInit()
  const state = error ? ('service_error' as const) : found ? setupState(found) : ('checking' as const)
  const waits = found !== undefined && (state === 'checking' || state === 'disconnected')
  useInitBySelf(waits, init)
  const whatIsWrong =
    failure ?? (error ? explain(error, SERVICE_ERROR_MESSAGES.connectivity) : state === 'service_error' ? found?.error : null)
  return (
    <Stack gap="lg">
      <div>
        <Button
          component={ShellLink}
          to="/message-center?tab=setup"
          variant="subtle"
          ml="-md"
          leftSection={<IconArrowLeft size={20} aria-hidden />}
        >
          Back to Message Center
        </Button>
        <PageHeader title="SMS Setup" />
      </div>
      <SimulatorBanner />
      <div className={classes.columns}>
        <Paper component="section" aria-label="SMS service" className={classes.part}>
          <SetupStatus state={state} />
          <ErrorNotice>{!isPending && state !== 'ready' && whatIsWrong}</ErrorNotice>
          <ServiceFacts />
          <div>
            <BusyButton variant="default" busy={isPending} busyLabel="Checking..." onClick={() => init()}>
              Check again
            </BusyButton>
          </div>
        </Paper>
        <Paper component="section" aria-labelledby="connect-twilio" className={classes.part}>
          <ConnectTwilio />
        </Paper>
      </div>
    </Stack>
  )
}
