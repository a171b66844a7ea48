import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { textingApi } from '@tatami/contract/texting/texting'
import { TEST_MODE } from '@tatami/contract/texting/message-types'
import { POLL_MS } from '@tatami/contract/notifications/notifications'
import { usePagedQuery } from '../lib/use-paged-query.ts'
import { endpointQuery } from '../lib/query.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { groupTextsByPhone, type AutoReply } from './simulated-phones.ts'
import { SimulatedPhone } from './simulated-phone.tsx'
import { WriteAsPhone } from './write-as-phone.tsx'
import { infoQuery } from '../texting/text-service.ts'
import styles from './simulator.module.css'
import { toDeliveryStatus, ACTIVE_POLL_MS } from '../texting/text-status.ts'
import kit from '../ui/kit.module.css'

export const SimulatorPage = () => (
  <Stack gap="lg">
    <PageHeader title="Simulator" />
    <Simulator />
  </Stack>
)

function Simulator() {
  const info = useQuery(infoQuery)
  if (info.data?.service === 'simulator') return <SimulatedPhones />
  if (info.data)
    return (
      <p className={styles.statement}>{info.data.service === 'none' ? NO_SERVICE : REAL_SERVICE}</p>
    )
  if (info.isError && !info.isFetching)
    return (
      <ErrorNotice onRetry={() => void info.refetch()}>
        The text service could not be loaded.
      </ErrorNotice>
    )
  return <Skeletons count={2} height={160} label="Loading the simulator..." />
}

const REAL_SERVICE = 'Texts go to your students’ phones. Nothing is simulated.'
const NO_SERVICE =
  'No text service is set up and the simulator is off, so no texts are sent or simulated.'

function SimulatedPhones() {
  const pages = useSimulatedTexts()
  const { texts, incomingTexts } = pages
  const [autoReplies, setAutoReplies] = useState<readonly AutoReply[]>([])
  return (
    <>
      <div className={styles.statement}>
        <p>
          <strong>{TEST_MODE}.</strong> This is what each phone would show.
        </p>
        <p>
          Reply as a parent would. Replies arrive in your inbox, and STOP and START work until a
          real text service is set up. Every text is delivered. To see one fail, reply STOP from a
          phone while its next text is still in the queue.
        </p>
      </div>
      <WriteAsPhone onAutoReply={(reply) => setAutoReplies([...autoReplies, reply])} />
      {!texts && !pages.isError && (
        <Skeletons count={2} height={160} label="Loading the phones..." />
      )}
      {texts?.length === 0 && (
        <EmptyState
          action={
            <Button component={LayoutLink} to="/message-center">
              Go to the Message Center
            </Button>
          }
        >
          No texts have been sent yet.
        </EmptyState>
      )}
      {texts && texts.length > 0 && (
        <ul className={`${kit.cards} ${styles.phones}`} aria-label="Phones">
          {groupTextsByPhone(texts, incomingTexts, autoReplies).map((conversation) => (
            <li key={conversation.phone}>
              <SimulatedPhone
                conversation={conversation}
                onAutoReply={(reply) => setAutoReplies([...autoReplies, reply])}
              />
            </li>
          ))}
        </ul>
      )}
      <MoreRows query={pages} error="The simulated texts could not be loaded." />
    </>
  )
}

const TEXTS_PER_PAGE = 100

function useSimulatedTexts() {
  const pages = usePagedQuery(textingApi.simulated, {
    limit: TEXTS_PER_PAGE,
    pollMs: (texts) =>
      texts.some((text) => toDeliveryStatus(text.state) === 'on_its_way')
        ? ACTIVE_POLL_MS
        : POLL_MS,
  })
  const { data: incomingTexts = [], isPending } = useQuery(endpointQuery(textingApi.inbox))
  return { ...pages, texts: isPending ? undefined : pages.rows, incomingTexts }
}
