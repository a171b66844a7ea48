import { Button, Paper } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import {
  onlinePaymentApi,
  type OnlinePaymentSetup,
  type StripeAccount,
} from '@tatami/contract/online-payment/online-payment'
import { useState } from 'react'
import { formatInstantDate } from '../lib/dates.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { CopyField } from '../ui/copy-field.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Loading } from '../ui/loading.tsx'
import { Warning } from '../ui/notices.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import type { OnlinePaymentDialogKind } from './online-payment-dialog.tsx'
import { SimulatedAccount, TryOut } from './simulation.tsx'
import kit from '../ui/kit.module.css'

const skeleton = <SkeletonBlock height="20rem">Loading...</SkeletonBlock>
const StripeAccountForm = lazyComponent(
  () => import('./stripe-account-form.tsx'),
  'StripeAccountForm',
  skeleton,
)
const OnlinePaymentDialog = lazyComponent(
  () => import('./online-payment-dialog.tsx'),
  'OnlinePaymentDialog',
)

export function OnlinePaymentPage() {
  const setup = useRetryingQuery(endpointQuery(onlinePaymentApi.setUp))
  return (
    <div className={kit.stack}>
      <PageHeader title="Online payment" />
      {setup.data && (
        <Paper component="section" aria-label="Stripe account" className={kit.stack}>
          <SetUp setup={setup.data} />
        </Paper>
      )}
      <Loading query={setup} error="Online payment could not be loaded.">
        {skeleton}
      </Loading>
    </div>
  )
}

const OPERATOR_REQUEST =
  'Please set SECRETS_KEY on our Tatami server, so that our school can take payments online. ' +
  'OPERATIONS.md says how.'

const MissingSecretsKey = () => (
  <>
    <Warning>
      Before you can take payments online, the person who installed Tatami has to change one setting
      on the server. Without it, your key could not be stored safely.
    </Warning>
    <CopyField label="Send them this" value={OPERATOR_REQUEST} />
  </>
)

function SetUp({ setup }: { setup: OnlinePaymentSetup }) {
  const [isEditing, setEditing] = useState(false)
  const { account, can_store_keys } = setup
  if (!account && !can_store_keys)
    return (
      <>
        <MissingSecretsKey />
        <TryOut />
      </>
    )
  if (!account || isEditing)
    return (
      <>
        <StripeAccountForm
          onSaved={() => setEditing(false)}
          {...(account && { onCancel: () => setEditing(false) })}
        />
        {!account && <TryOut />}
      </>
    )
  return <ExistingAccount {...{ setup, account }} onEdit={() => setEditing(true)} />
}

type ExistingProps = { setup: OnlinePaymentSetup; account: StripeAccount; onEdit: () => void }

function ExistingAccount({ setup, account, onEdit }: ExistingProps) {
  const { can_store_keys, awaits_confirmation } = setup
  const [dialog, setDialog] = useState<OnlinePaymentDialogKind | null>(null)
  return (
    <>
      {account.is_simulated ? (
        <SimulatedAccount
          canStoreKeys={can_store_keys}
          onEnterKey={onEdit}
          onStop={() => setDialog('stop_simulation')}
        />
      ) : (
        <ConnectedAccount
          account={account}
          awaitsConfirmation={awaits_confirmation}
          onEdit={onEdit}
          onOpenDialog={setDialog}
        />
      )}
      {dialog && (
        <OnlinePaymentDialog kind={dialog} setup={setup} onClose={() => setDialog(null)} />
      )}
    </>
  )
}

type ConnectedProps = {
  account: StripeAccount
  awaitsConfirmation: boolean
  onEdit: () => void
  onOpenDialog: (kind: OnlinePaymentDialogKind) => void
}

function ConnectedAccount({ account, awaitsConfirmation, onEdit, onOpenDialog }: ConnectedProps) {
  return (
    <>
      {awaitsConfirmation ? (
        <>
          <Warning>
            This server was restored or copied, so it takes no payments until you say that it is
            your school’s real one. If the old server still runs, payments could be taken twice.
          </Warning>
          <Button onClick={() => onOpenDialog('confirm')}>Take payments on this server</Button>
        </>
      ) : (
        <AccountState account={account} />
      )}
      <AccountFacts account={account} />
      <div className={kit.row}>
        <Button variant="default" onClick={onEdit}>
          Change key
        </Button>
        <Button variant="subtle" color="red" onClick={() => onOpenDialog('remove')}>
          Turn off
        </Button>
      </div>
    </>
  )
}

function AccountState({ account }: { account: StripeAccount }) {
  const { is_live, is_unrestricted, missing_permissions, error } = account
  return (
    <>
      <div role="status" className={kit.lines}>
        <p className={`${kit.line} ${kit.strong}`}>
          {error ? (
            <IconAlertTriangle size={20} aria-hidden className={kit.red} />
          ) : (
            <IconCircleCheck size={20} aria-hidden className={kit.green} />
          )}
          {error ?? 'Families can pay online'}
        </p>
        <p className={kit.muted}>
          Open a student’s account and press Pay link. Families pay by card or bank account, and
          their payments are recorded here.
        </p>
      </div>
      {!is_live && (
        <Warning>
          This is a test key. No real money is taken, and nothing is paid, whatever families enter.
        </Warning>
      )}
      {missing_permissions.length > 0 && (
        <Warning>
          The key may not do everything yet. In Stripe, give it access to:{' '}
          {missing_permissions.join(', ')}.
        </Warning>
      )}
      {is_unrestricted && (
        <Warning>
          This key can do everything in your Stripe account. A restricted key is safer.
        </Warning>
      )}
    </>
  )
}

const AccountFacts = ({ account }: { account: StripeAccount }) => (
  <dl className={kit.fieldPair}>
    <div>
      <dt className={kit.note}>Key</dt>
      <dd className={kit.strong}>{account.key_ending}</dd>
    </div>
    <div>
      <dt className={kit.note}>Changed</dt>
      <dd>
        {formatInstantDate(account.changed_at)}, {account.changed_by}
      </dd>
    </div>
    <div>
      <dt className={kit.note}>Payments show up</dt>
      <dd>{account.has_webhook ? 'Within seconds' : 'Within a minute'}</dd>
    </div>
  </dl>
)
