import { Title } from '@mantine/core'
import type { SetupObstacle, TextingSetup } from '@tatami/contract/texting/texting-account'
import { useState } from 'react'
import { useRetryingQuery } from '../lib/query.ts'
import { setupQuery } from '../texting/text-service.ts'
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

const OBSTACLES: Record<SetupObstacle, string> = {
  no_secrets_key:
    'You can’t connect your own account yet, because this server has no key to store your auth ' +
    'token safely. Ask the person who runs the server to set SECRETS_KEY, then come back.',
  sms_provider:
    'The person who runs this server has chosen one text service for all schools ' +
    '(SMS_PROVIDER), so your own account isn’t used.',
}

const LOST_KEY =
  'Your texts wait, because this server can’t read your auth token without its SECRETS_KEY. Ask ' +
  'the person who runs the server to set it again.'

function AccountSetup({ setup }: { setup: TextingSetup }) {
  const [isEditing, setEditing] = useState(false)
  const { account, obstacle } = setup
  const stopEditing = () => setEditing(false)
  if (!account && obstacle) return <Warning>{OBSTACLES[obstacle]}</Warning>
  return (
    <>
      {obstacle && (
        <Warning>{obstacle === 'no_secrets_key' ? LOST_KEY : OBSTACLES[obstacle]}</Warning>
      )}
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
