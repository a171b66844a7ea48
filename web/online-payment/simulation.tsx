import { Button } from '@mantine/core'
import { IconTestPipe } from '@tabler/icons-react'
import { onlinePaymentApi } from '@tatami/contract/online-payment/online-payment'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '../lib/api.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import kit from '../ui/kit.module.css'

const SimulationNotice = () => (
  <p className={kit.notice} data-tone="orange">
    <IconTestPipe size={20} aria-hidden />
    <span>Simulation: no money is taken, nothing is paid, and families see nothing of it.</span>
  </p>
)

/** Shown while the school tries out online payment without an account at Stripe. */
export function SimulationBanner() {
  const { data: status } = useQuery(endpointQuery(onlinePaymentApi.status))
  return status?.is_simulated && <SimulationNotice />
}

/** Begins to try out online payment. */
export function TryOut() {
  const start = useEndpointMutation(onlinePaymentApi.simulate, {
    refreshes: [onlinePaymentApi.setUp, onlinePaymentApi.status],
  })
  return (
    <section aria-label="Try it out" className={kit.stack}>
      <p className={kit.muted}>
        Not sure yet? You can see how it works with pretend payments. Your families won’t notice.
      </p>
      <ErrorNotice>
        {start.error && errorMessage(start.error, 'This did not work. Please try again.')}
      </ErrorNotice>
      <div>
        <BusyButton
          variant="default"
          busy={start.isPending}
          busyLabel="Starting..."
          onClick={() => start.mutate({})}
        >
          Try it without a Stripe account
        </BusyButton>
      </div>
    </section>
  )
}

type Props = { canStoreKeys: boolean; onEnterKey: () => void; onStop: () => void }

export const SimulatedAccount = ({ canStoreKeys, onEnterKey, onStop }: Props) => (
  <>
    <SimulationNotice />
    <p>
      Open a student’s account, press Pay link, and open the link yourself. The payment then shows
      up under Payments → Money → Online. When you stop, everything you tried out is gone.
    </p>
    <div className={kit.row}>
      {canStoreKeys && <Button onClick={onEnterKey}>Enter your Stripe key</Button>}
      <Button variant="default" aria-haspopup="dialog" onClick={onStop}>
        Stop trying it out
      </Button>
    </div>
  </>
)
