import { Title } from '@mantine/core'
import type { TextingSetup } from '@tatami/contract/texting/texting-account'
import { useState } from 'react'
import { useRetryingQuery } from '../lib/query.ts'
import { setupQuery } from '../texting/text-service.ts'
import { CopyField } from '../ui/copy-field.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ErrorNotice, Warning } from '../ui/notices.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { ConnectedAccount } from './twilio-account-card.tsx'

const skeleton = <SkeletonBlock height="24rem">Loading...</SkeletonBlock>
const TwilioAccountForm = lazyComponent(
  () => import('./twilio-account-form.tsx'),
  'TwilioAccountForm',
  skeleton,
)

export function TwilioAccount() {
  const { data: setup, isUnavailable, retry } = useRetryingQuery(setupQuery)
  return (
    <>
      <Title order={2} id="twilio-account">
        Your own Twilio account
      </Title>
      {setup && <AccountSetup setup={setup} />}
      {!setup && isUnavailable && (
        <ErrorNotice onRetry={retry}>Your Twilio account could not be loaded.</ErrorNotice>
      )}
      {!setup && !isUnavailable && skeleton}
    </>
  )
}

const OTHER_SERVICE =
  'The person who runs this server has chosen one text service for all schools (SMS_PROVIDER), so ' +
  'your own account isn’t used.'

const OPERATOR_REQUEST =
  'Please set SECRETS_KEY on our Tatami server, so that our school can connect its own Twilio ' +
  'account. OPERATIONS.md says how.'

/** The owner cannot change this setting, so the page says who to ask, and what to ask for. */
const MissingKey = () => (
  <>
    <Warning>
      Before you can connect your own account, the person who installed Tatami has to change one
      setting on the server. Without it, your auth token could not be stored safely.
    </Warning>
    <CopyField label="Send them this" value={OPERATOR_REQUEST} />
    <p>Come back when they have done it. Then you can connect your account here.</p>
  </>
)

const LOST_KEY =
  'Your texts wait, because this server can’t read your auth token without its SECRETS_KEY. Ask ' +
  'the person who runs the server to set it again.'

function AccountSetup({ setup }: { setup: TextingSetup }) {
  const [isEditing, setEditing] = useState(false)
  const { account, obstacle } = setup
  const stopEditing = () => setEditing(false)
  if (!account && obstacle === 'no_secrets_key') return <MissingKey />
  if (!account && obstacle) return <Warning>{OTHER_SERVICE}</Warning>
  return (
    <>
      {obstacle && <Warning>{obstacle === 'no_secrets_key' ? LOST_KEY : OTHER_SERVICE}</Warning>}
      {account && !isEditing ? (
        <ConnectedAccount setup={setup} account={account} onEdit={() => setEditing(true)} />
      ) : (
        <TwilioAccountForm
          setup={setup}
          onSaved={stopEditing}
          {...(account && { onCancel: stopEditing })}
        />
      )}
    </>
  )
}
