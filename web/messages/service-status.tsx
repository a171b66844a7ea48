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
import { useCan } from '../lib/current-user.ts'
import { endpointQuery } from '../lib/query.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { formatPhone } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { SimulatorLink } from '../texting/simulator-banner.tsx'
import styles from './service-status.module.css'
import { statusQuery, useConnect, useConnectOnce, useTestMode } from '../texting/text-service.ts'
import kit from '../ui/kit.module.css'

const STATES: Record<State, { icon: Icon; tone?: string; label: string }> = {
  checking: { icon: IconLoader2, label: 'Checking the text service...' },
  connected: { icon: IconCircleCheck, tone: 'green', label: 'Text service connected' },
  simulated: { icon: IconTestPipe, tone: 'orange', label: TEST_MODE },
  error: { icon: IconAlertTriangle, tone: 'red', label: 'Can’t reach the text service' },
  qr_ready: { icon: IconQrcode, tone: 'orange', label: 'Text service not connected' },
}

export function ServiceStatus() {
  const { state, qr, status } = useSmsStatus()
  const isTestMode = useTestMode(state === 'checking')
  const canConnect = useCan()(textingApi.init.right)
  const { connect, isPending, failure } = useConnect()
  useConnectOnce(canConnect && status?.status === 'checking' && !status.connected, connect)
  const { icon: StateIcon, tone, label } = STATES[state]
  const isDown = state === 'error' || state === 'qr_ready'
  return (
    <div className={kit.spread}>
      <p role="status" className={`${kit.line} ${kit.strong} ${styles.label}`} data-tone={tone}>
        <StateIcon size={20} aria-hidden />
        {label}
      </p>
      {isDown && canConnect && (
        <BusyButton
          size="sm"
          variant="default"
          busy={isPending}
          busyLabel="Checking..."
          onClick={() => connect()}
        >
          Check again
        </BusyButton>
      )}
      {(isTestMode || !isDown) && (
        <div className={`${kit.wrap} ${styles.details}`}>
          {state !== 'simulated' && isTestMode && <span>{TEST_MODE}.</span>}
          {isTestMode && <SimulatorLink />}
          {state === 'connected' && status?.phone_number && (
            <span className={kit.muted}>{formatPhone(status.phone_number)}</span>
          )}
        </div>
      )}
      {qr && state === 'qr_ready' && (
        <div className={`${kit.row} ${styles.code}`}>
          <img src={qr} alt="QR code for the SMS setup page" width={160} height={160} />
          <div>
            <p>Your texts will wait until it’s connected.</p>
            <p className={kit.muted}>
              Scan the code to continue on your phone, or open{' '}
              <LayoutLink to="/sms-setup">SMS setup</LayoutLink> here.
            </p>
          </div>
        </div>
      )}
      {isDown && failure && !isPending && (
        <div className={styles.failure}>
          <ErrorNotice>{failure}</ErrorNotice>
        </div>
      )}
    </div>
  )
}

const POLL_MS = 10_000

const qrQuery = endpointQuery(textingApi.qr)

type StatusReply = Reply<typeof textingApi.status>
const isConnected = ({ connected, status }: StatusReply) => connected || status === 'ready'

/** Polls the status, but not while a QR code is on the screen (specification, section 4). */
function useSmsStatus() {
  const canConnect = useCan()(textingApi.qr.right)
  const cache = useQueryClient()
  const isQrLoaded = () =>
    Boolean(cache.getQueryData(qrQuery.queryKey)?.qr) &&
    cache.getQueryState(qrQuery.queryKey)?.status === 'success'
  const {
    data: reply,
    isError,
    refetch,
  } = useQuery({
    ...statusQuery,
    retry: false,
    staleTime: 0,
    refetchInterval: ({ state: { data, status } }) =>
      status === 'success' && data && !isConnected(data) && isQrLoaded() ? false : POLL_MS,
  })
  const isDisconnected = reply !== undefined && !isError && !isConnected(reply)
  const { data, isError: hasQrFailed } = useQuery({
    ...qrQuery,
    enabled: isDisconnected && canConnect,
    retry: false,
    refetchInterval: () => (isQrLoaded() ? false : POLL_MS),
  })
  const qr = isDisconnected && !hasQrFailed && data?.qr ? data.qr : null
  const isQrVisible = qr !== null
  useEffect(() => {
    if (!isQrVisible) return undefined
    const refetchStatus = () => void refetch()
    window.addEventListener('focus', refetchStatus)
    return () => window.removeEventListener('focus', refetchStatus)
  }, [isQrVisible, refetch])
  const hasFailed = isError || (isDisconnected && hasQrFailed)
  // Without the code, staff still see that the service is not connected.
  const showsDisconnected = isQrVisible || (isDisconnected && !canConnect)
  return { state: findState(reply, { hasFailed, showsDisconnected }), qr, status: reply }
}

type State = 'checking' | 'connected' | 'simulated' | 'error' | 'qr_ready'

function findState(
  reply: StatusReply | undefined,
  { hasFailed, showsDisconnected }: { hasFailed: boolean; showsDisconnected: boolean },
): State {
  if (hasFailed) return 'error'
  if (reply && isConnected(reply)) return reply.service === 'simulator' ? 'simulated' : 'connected'
  return showsDisconnected ? 'qr_ready' : 'checking'
}
