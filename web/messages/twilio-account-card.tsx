import { Button } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconHelpCircle,
  IconPlayerPause,
  type Icon,
} from '@tabler/icons-react'
import type {
  TextingAccount,
  TextingAccountState,
  TextingSetup,
} from '@tatami/contract/texting/texting-account'
import { useState } from 'react'
import { formatInstantDate } from '../lib/dates.ts'
import { formatPhone } from '../lib/text.ts'
import { CopyField } from '../ui/copy-field.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Warning } from '../ui/notices.tsx'
import { Registration } from './registration.tsx'
import { TestText } from './test-text.tsx'
import styles from './twilio-account.module.css'
import kit from '../ui/kit.module.css'

const RemoveDialog = lazyComponent(
  () => import('./remove-account-dialog.tsx'),
  'RemoveAccountDialog',
)

type Appearance = { icon: Icon; tone: string; title: string; advice: string }

const APPEARANCES: Record<TextingAccountState, Appearance> = {
  ready: {
    icon: IconCircleCheck,
    tone: 'green',
    title: 'Connected',
    advice: 'Your texts go out through this account.',
  },
  unchecked: {
    icon: IconHelpCircle,
    tone: 'orange',
    title: 'Twilio does not respond',
    advice: 'Your texts wait until it does.',
  },
  wrong_credentials: {
    icon: IconAlertTriangle,
    tone: 'red',
    title: 'Wrong auth token',
    advice: 'Your texts wait. Press Change, and copy the auth token from the Twilio console again.',
  },
  number_not_yours: {
    icon: IconAlertTriangle,
    tone: 'red',
    title: 'Wrong number',
    advice: 'Your texts wait. Press Change, and enter a number of this account.',
  },
  not_registered: {
    icon: IconAlertTriangle,
    tone: 'red',
    title: 'Number not registered',
    advice: 'Carriers block your texts until you register your number with Twilio. See below.',
  },
  paused: {
    icon: IconPlayerPause,
    tone: 'red',
    title: 'Suspended by Twilio',
    advice: 'Your texts wait. Log in to Twilio to see why.',
  },
}

type Props = { setup: TextingSetup; account: TextingAccount; onEdit: () => void }

export function ConnectedAccount({ setup, account, onEdit }: Props) {
  const [isRemoveOpen, setIsRemoveOpen] = useState(false)
  // The screen warns above if the account is not used.
  const isUsed = setup.obstacle === null
  return (
    <>
      {isUsed && <AccountState account={account} />}
      <AccountFacts account={account} />
      <div className={kit.row}>
        {isUsed && (
          <Button variant="default" onClick={onEdit}>
            Change
          </Button>
        )}
        <Button variant="subtle" color="red" onClick={() => setIsRemoveOpen(true)}>
          Remove
        </Button>
      </div>
      {isUsed && <NextSteps setup={setup} account={account} />}
      {isRemoveOpen && (
        <RemoveDialog service={setup.server_service} onClose={() => setIsRemoveOpen(false)} />
      )}
    </>
  )
}

const NextSteps = ({ setup, account }: Omit<Props, 'onEdit'>) => (
  <>
    {account.is_trial && (
      <Warning>
        This is a trial account. It only texts numbers that you have verified with Twilio, so
        upgrade it before you text your students.
      </Warning>
    )}
    <TestText phone={setup.test_phone} />
    <Replies account={account} replyUrl={setup.reply_url} />
    <Disclosure summary="Register with US carriers" startsOpen={account.state === 'not_registered'}>
      <Registration />
    </Disclosure>
  </>
)

function AccountState({ account: { state, error } }: { account: TextingAccount }) {
  const { icon: StateIcon, tone, title, advice } = APPEARANCES[state]
  return (
    <div role="status" className={kit.lines}>
      <p className={`${kit.line} ${kit.strong} ${styles.state}`} data-tone={tone}>
        <StateIcon size={20} aria-hidden />
        {title}
      </p>
      <p className={kit.muted}>{advice}</p>
      {error && <p className={kit.note}>Last error: {error}</p>}
    </div>
  )
}

const shorten = (sid: string) => `${sid.slice(0, 6)}…${sid.slice(-4)}`

function AccountFacts({ account }: { account: TextingAccount }) {
  const { account_sid, sender, changed_at, changed_by } = account
  return (
    <dl className={kit.fieldPair}>
      <div>
        <dt className={kit.note}>Account SID</dt>
        <dd className={kit.strong}>{shorten(account_sid)}</dd>
      </div>
      <div>
        <dt className={kit.note}>Sent from</dt>
        <dd className={kit.strong}>
          {sender.startsWith('MG') ? shorten(sender) : formatPhone(sender)}
        </dd>
      </div>
      <div>
        <dt className={kit.note}>Changed</dt>
        <dd>
          {formatInstantDate(changed_at)}
          {changed_by && `, ${changed_by}`}
        </dd>
      </div>
    </dl>
  )
}

type RepliesProps = { account: TextingAccount; replyUrl: string | null }

function Replies({ account: { gets_replies, sender }, replyUrl }: RepliesProps) {
  const webhookPlace = sender.startsWith('MG')
    ? 'open your messaging service, choose Integration, then “Send a webhook”'
    : 'open your number, and go to “A message comes in”'
  return (
    <section className={`${kit.stackSmall} ${kit.divided}`} aria-label="Replies">
      <h3 className={`${kit.titleSmall} ${kit.strong}`}>Replies</h3>
      {gets_replies && (
        <p className={kit.line}>
          <IconCircleCheck size={20} aria-hidden className={kit.green} />
          Replies reach your inbox.
        </p>
      )}
      {!gets_replies && replyUrl && (
        <>
          <p>
            To get replies in your inbox, {webhookPlace} in the Twilio console. Paste this address
            there, then press “Check again”.
          </p>
          <CopyField label="Address for replies" value={replyUrl} />
        </>
      )}
      {!replyUrl && (
        <p className={kit.muted}>
          Replies don’t arrive, because this server has no public https address that Twilio can
          reach.
        </p>
      )}
    </section>
  )
}
