import {
  IconAlertTriangle,
  IconCircleCheck,
  IconLoader2,
  IconQrcode,
  IconTestPipe,
  type Icon,
} from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { TEST_MODE } from '@tatami/contract/texting/message-types'
import type { Reply } from '@tatami/contract/lib/endpoint'
import { textingApi } from '@tatami/contract/texting/texting'
import { useEffect } from 'react'
import { endpointQuery } from '../lib/query.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { formatPhone } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { SimulatorLink } from '../texting/simulator-banner.tsx'
import styles from './service-status.module.css'
import { statusQuery, useInit, useInitOnce, useTestMode } from '../texting/text-service.ts'
import kit from '../ui/kit.module.css'

const STATES: Record<State, { icon: Icon; tone?: string; words: string }> = {
  checking: { icon: IconLoader2, words: 'Checking the text service...' },
  connected: { icon: IconCircleCheck, tone: 'green', words: 'Text service connected' },
  simulated: { icon: IconTestPipe, tone: 'orange', words: TEST_MODE },
  error: { icon: IconAlertTriangle, tone: 'red', words: 'Can’t reach the text service' },
  qr_ready: { icon: IconQrcode, tone: 'orange', words: 'Text service not connected' },
}

export function ServiceStatus() {
  const { state, qr, found } = useSmsStatus()
  const isTestMode = useTestMode(state === 'checking')
  const { init, isPending, failure } = useInit()
  useInitOnce(found?.status === 'checking' && !found.connected, init)
  const { icon: Sign, tone, words } = STATES[state]
  const hasFailed = state === 'error' || state === 'qr_ready'
  return (
    <div className={kit.spread}>
      <p role="status" className={`${kit.line} ${kit.strong} ${styles.words}`} data-tone={tone}>
        <Sign size={20} aria-hidden />
        {words}
      </p>
      {hasFailed && (
        <BusyButton
          size="sm"
          variant="default"
          busy={isPending}
          busyLabel="Checking..."
          onClick={() => init()}
        >
          Check again
        </BusyButton>
      )}
      {(isTestMode || !hasFailed) && (
        <div className={`${kit.wrap} ${styles.details}`}>
          {state !== 'simulated' && isTestMode && <span>{TEST_MODE}.</span>}
          {isTestMode && <SimulatorLink />}
          {state === 'connected' && found?.phone_number && (
            <span className={kit.muted}>{formatPhone(found.phone_number)}</span>
          )}
        </div>
      )}
      {qr && state === 'qr_ready' && (
        <div className={`${kit.row} ${styles.code}`}>
          <img src={qr} alt="QR code of the SMS setup page" width={160} height={160} />
          <div>
            <p>Your texts will wait until it’s connected.</p>
            <p className={kit.muted}>
              Scan the code to continue on your phone, or open{' '}
              <LayoutLink to="/sms-setup">SMS setup</LayoutLink> here.
            </p>
          </div>
        </div>
      )}
      {hasFailed && failure && !isPending && (
        <div className={styles.failure}>
          <ErrorNotice>{failure}</ErrorNotice>
        </div>
      )}
    </div>
  )
}

const POLL_MS = 10_000

const qrQuery = endpointQuery(textingApi.qr)

type ServiceStatusReply = Reply<typeof textingApi.status>
const isConnected = ({ connected, status }: ServiceStatusReply) => connected || status === 'ready'
const needsCode = (reply: ServiceStatusReply) => !isConnected(reply)

/** Polls the service, except while a QR code shows (specification, section 4). */
function useSmsStatus() {
  const cache = useQueryClient()
  const showsCode = () =>
    Boolean(cache.getQueryData(qrQuery.queryKey)?.qr) &&
    cache.getQueryState(qrQuery.queryKey)?.status === 'success'
  // The next poll is the retry of a failed one.
  const {
    data: reply,
    isError,
    refetch,
  } = useQuery({
    ...statusQuery,
    retry: false,
    staleTime: 0,
    refetchInterval: ({ state: { data, status } }) =>
      status === 'success' && data && needsCode(data) && showsCode() ? false : POLL_MS,
  })
  const isWithout = reply !== undefined && !isError && needsCode(reply)
  const { data, isError: hasNoCode } = useQuery({
    ...qrQuery,
    enabled: isWithout,
    retry: false,
    refetchInterval: () => (showsCode() ? false : POLL_MS),
  })
  const qr = isWithout && !hasNoCode && data?.qr ? data.qr : null
  const isShown = qr !== null
  useEffect(() => {
    if (!isShown) return undefined
    const ask = () => void refetch()
    window.addEventListener('focus', ask)
    return () => window.removeEventListener('focus', ask)
  }, [isShown, refetch])
  const hasFailed = isError || (isWithout && hasNoCode)
  return { state: stateOf(reply, { hasFailed, isShown }), qr, found: reply }
}

type State = 'checking' | 'connected' | 'simulated' | 'error' | 'qr_ready'

function stateOf(
  reply: ServiceStatusReply | undefined,
  { hasFailed, isShown }: { hasFailed: boolean; isShown: boolean },
): State {
  if (hasFailed) return 'error'
  if (reply && isConnected(reply)) return reply.service === 'simulator' ? 'simulated' : 'connected'
  return isShown ? 'qr_ready' : 'checking'
}
