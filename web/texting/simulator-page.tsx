import { Button, Stack } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ShellLink } from '../lib/shell.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { SimulatedPhones } from './simulated-phones.tsx'
import { infoQuery } from './simulator-banner.tsx'
import classes from './simulator-page.module.css'

/** What would have been sent, on the phones that would have got it. */
export const SimulatorPage = () => (
  <Stack gap="lg">
    <div>
      <Button component={ShellLink} to="/message-center" variant="subtle" ml="-md" leftSection={<IconArrowLeft size={20} aria-hidden />}>
        Back to the Message Center
      </Button>
      <PageHeader title="Simulator" />
    </div>
    <Simulator />
  </Stack>
)

function Simulator() {
  const info = useQuery(infoQuery)
  if (info.data?.service === 'simulator') return <SimulatedPhones />
  if (info.data) return <p className={classes.statement}>{info.data.service === 'none' ? NO_SERVICE : REAL_SERVICE}</p>
  if (info.isError && !info.isFetching)
    return <ErrorNotice onRetry={() => void info.refetch()}>Could not find out which text service is in use.</ErrorNotice>
  return <Skeletons count={2} height={160} label="Loading the simulator..." />
}

const REAL_SERVICE = 'Texts go out for real, to the phones of your students. Nothing is simulated.'
const NO_SERVICE = 'No text service is set up and the simulator is switched off: nothing goes out, and nothing is simulated.'
