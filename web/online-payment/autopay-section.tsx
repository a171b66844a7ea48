import { Button } from '@mantine/core'
import { formatMoney } from '@tatami/contract/lib/money'
import { ordinal } from '@tatami/contract/lib/ordinal'
import {
  type Autopay,
  type PayerHome,
  payerHomeApi,
} from '@tatami/contract/online-payment/payer-home'
import { useState } from 'react'
import { errorMessage } from '../lib/api.ts'
import { formatDate } from '../lib/dates.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ErrorNotice, Warning } from '../ui/notices.tsx'
import { LeftOutNote } from './left-out-note.tsx'
import { describeMethod, describeSaving, describeTrouble } from './method-words.ts'
import styles from './payer-panel.module.css'
import kit from '../ui/kit.module.css'

const AutopayDialog = lazyComponent(() => import('./autopay-dialog.tsx'), 'AutopayDialog')
const StopAutopayDialog = lazyComponent(
  () => import('./stop-autopay-dialog.tsx'),
  'StopAutopayDialog',
)

type OpenDialog = 'agree' | 'stop' | null

export function AutopaySection({ home }: { home: PayerHome }) {
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null)
  const close = () => setOpenDialog(null)
  return (
    <section className={kit.stackSmall} aria-label="Autopay">
      {home.autopay ? (
        <AutopayOn home={home} autopay={home.autopay} onOpen={setOpenDialog} />
      ) : (
        <AutopayOff home={home} onOpen={setOpenDialog} />
      )}
      {openDialog === 'agree' && <AutopayDialog home={home} onClose={close} />}
      {openDialog === 'stop' && <StopAutopayDialog home={home} onClose={close} />}
    </section>
  )
}

type SectionProps = { home: PayerHome; onOpen: (dialog: OpenDialog) => void }

function AutopayOff({ home, onOpen }: SectionProps) {
  const saving = describeSaving(home)
  return (
    <>
      <p className={kit.strong} role="status">
        {home.is_setting_up ? 'Autopay is being set up' : 'Autopay is off'}
      </p>
      <p className={kit.muted}>
        {home.is_setting_up
          ? 'It turns on when Stripe has saved your card or bank account. If you went back from ' +
            'Stripe’s page, start again here.'
          : `Pay automatically each month. You can stop at any time.${saving ? ` ${saving}` : ''}`}
      </p>
      <div className={styles.actions}>
        <Button
          variant="default"
          aria-haspopup="dialog"
          onClick={() => onOpen('agree')}
          {...AutopayDialog.preloadOnHover}
        >
          Set up autopay
        </Button>
      </div>
    </>
  )
}

function AutopayOn({ home, autopay, onOpen }: SectionProps & { autopay: Autopay }) {
  const trouble = describeTrouble(autopay.trouble)
  return (
    <>
      <p className={kit.strong}>Autopay is on</p>
      <p>{describeNext(autopay)}</p>
      {autopay.next?.is_over_limit && <Warning>{OVER_LIMIT}</Warning>}
      <LeftOutNote lines={autopay.left_out} />
      {home.method && <p className={kit.muted}>{describeMethod(home.method)}</p>}
      {home.method?.expires_soon && (
        <Warning>Your card expires soon. Please add your new card.</Warning>
      )}
      {trouble && <Warning>{trouble}</Warning>}
      <div className={styles.actions}>
        <NewMethodButton hasMethod={home.method !== null} />
        {home.method && (
          <Button variant="default" aria-haspopup="dialog" onClick={() => onOpen('agree')}>
            Change day or limit
          </Button>
        )}
        <Button variant="default" aria-haspopup="dialog" onClick={() => onOpen('stop')}>
          Turn off autopay
        </Button>
      </div>
    </>
  )
}

const OVER_LIMIT =
  'That is more than your limit, so nothing will be charged, and we will ask you to pay. ' +
  'You can raise the limit.'

const describeNext = ({ next, day_of_month, limit }: Autopay): string => {
  const limitNote = limit === null ? '' : `, at most ${formatMoney(limit)}`
  if (next?.is_over_limit)
    return `On ${formatDate(next.on)}, you owe ${formatMoney(next.owed)}. Limit: ${formatMoney(limit)}`
  return next
    ? `Next: ${formatMoney(next.amount)} on ${formatDate(next.on)}${limitNote}`
    : `On the ${ordinal(day_of_month)} of each month${limitNote}`
}

function NewMethodButton({ hasMethod }: { hasMethod: boolean }) {
  const change = useEndpointMutation(payerHomeApi.changeMethod, {
    onSuccess: ({ url }) => url !== null && location.assign(url),
  })
  return (
    <>
      <ErrorNotice>
        {change.error && errorMessage(change.error, 'This did not work. Please try again.')}
      </ErrorNotice>
      <BusyButton
        variant={hasMethod ? 'default' : 'filled'}
        busy={change.isPending}
        busyLabel="Opening..."
        onClick={() => change.mutate({})}
      >
        {hasMethod ? 'Use another card' : 'Add a card or bank account'}
      </BusyButton>
    </>
  )
}
