import { Box, ActionIcon, Title } from '@mantine/core'
import { conversationsApi, type ThreadText } from '@tatami/contract/texting/conversations'
import { POLL_MS } from '@tatami/contract/notifications/notifications'
import { decisiveConsent, type PhoneInfo } from '@tatami/contract/texting/phones'
import { textingApi } from '@tatami/contract/texting/texting'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconArrowLeft } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { errorMessage, failureMessage } from '../lib/api.ts'
import { pathIn } from '../lib/layout.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { endpointQuery, endpointKey, useEndpointMutation } from '../lib/query.ts'
import { usePagedQuery } from '../lib/use-paged-query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { BottomActions } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { StudentLinks } from '../ui/student-link.tsx'
import { Bubbles } from './bubble.tsx'
import { PhoneDetails } from './phone-details.tsx'
import { holdersOf, peopleLabel } from './people.ts'
import { ReplyBox } from './reply-box.tsx'
import { StopRequest } from './stop-request.tsx'
import { ThreadBubble } from './thread-bubble.tsx'
import { ACTIVE_POLL_MS, awaitsReport } from '../texting/text-status.ts'
import styles from './thread.module.css'
import kit from '../ui/kit.module.css'

const TEXTS_PER_PAGE = 50
const NEAR_END_PX = 40

const useThread = (phone: string) =>
  usePagedQuery(conversationsApi.thread, {
    limit: TEXTS_PER_PAGE,
    params: { phone },
    pollMs: (texts) => (texts.some((text) => awaitsReport(text)) ? ACTIVE_POLL_MS : POLL_MS),
  })

export function Thread({ phone }: { phone: string }) {
  const isDesktop = useLayout() === 'desktop'
  const info = useQuery(endpointQuery(conversationsApi.phone, { params: { phone } }))
  const thread = useThread(phone)
  const texts = thread.rows
  const { section, list } = useNewestInView(isDesktop, texts?.[0]?.id, info.data !== undefined)
  useReading(phone, texts)
  const box = info.data && (
    <div className={kit.stackSmall}>
      <StopRequest key={phone} phone={phone} isOpen={info.data.stop_asked_at !== null} />
      <ReplyBox phone={phone} stopped={whyStopped(info.data)} upTo={texts?.[0]?.id} />
    </div>
  )
  const name = info.data ? peopleLabel(info.data) : ''
  return (
    <section
      ref={section}
      className={`${kit.stackSmall} ${styles.thread}`}
      aria-label={name ? `Conversation with ${name}` : 'Conversation'}
      data-layout={isDesktop ? 'desktop' : 'mobile'}
    >
      <ThreadHead
        phone={phone}
        name={info.data && <Names {...info.data} />}
        mayMarkUnread={texts?.some(({ direction }) => direction === 'in') ?? false}
      />
      {info.data && <PhoneDetails info={info.data} />}
      {info.isError && !info.isFetching && (
        <ErrorNotice onRetry={() => void info.refetch()}>
          {errorMessage(info.error, 'The conversation could not be loaded.')}
        </ErrorNotice>
      )}
      <div className={`${kit.stackSmall} ${styles.texts}`} ref={list}>
        <ThreadTexts thread={thread} hasFailed={info.isError} />
      </div>
      {isDesktop ? box : <BottomActions>{box}</BottomActions>}
    </section>
  )
}

type TextsProps = {
  thread: ReturnType<typeof useThread>
  /** The conversation's own error says enough. */
  hasFailed: boolean
}

const ThreadTexts = ({ thread, hasFailed }: TextsProps) => (
  <>
    {thread.hasNextPage && (
      <BusyButton
        variant="default"
        busy={thread.isFetchingNextPage}
        busyLabel="Loading..."
        onClick={() => void thread.fetchNextPage()}
      >
        Show earlier texts
      </BusyButton>
    )}
    {!thread.rows && !thread.isError && (
      <Skeletons count={3} height={76} label="Loading the texts..." />
    )}
    {thread.rows?.length === 0 && (
      <Box component="p" c="dimmed" py="md">
        No texts with this phone yet.
      </Box>
    )}
    {thread.rows && thread.rows.length > 0 && (
      <Bubbles label="Texts">
        {thread.rows.toReversed().map((text) => (
          <ThreadBubble key={text.id} text={text} />
        ))}
      </Bubbles>
    )}
    {thread.isError && !thread.isFetching && !hasFailed && (
      <ErrorNotice onRetry={() => void thread.refetch()}>
        The texts could not be loaded.
      </ErrorNotice>
    )}
  </>
)

function whyStopped({ opted_out_at, consents }: PhoneInfo): string | null {
  if (opted_out_at !== null)
    return 'This phone replied STOP, so it gets no texts. You can still call.'
  return decisiveConsent(consents)?.event === 'revoked'
    ? 'This phone’s owner no longer agrees to texts, so it gets none. You can still call.'
    : null
}

function useNewestInView(isDesktop: boolean, newest: string | undefined, hasBox: boolean) {
  const section = useRef<HTMLElement>(null),
    list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!newest || !hasBox) return
    if (isDesktop) list.current?.scrollTo(0, list.current.scrollHeight)
    else section.current?.scrollIntoView({ block: 'end' })
  }, [isDesktop, newest, hasBox])
  useEndOfListKept(list)
  useEndOfPageKept(section, isDesktop)
  return { section, list }
}

/** Keeps the newest text visible when the box below grows, unless the user has scrolled up. */
function useEndOfListKept(list: RefObject<HTMLDivElement | null>) {
  useEffect(() => {
    const element = list.current
    if (!element) return undefined
    let lastHeight = element.clientHeight
    const observer = new ResizeObserver(() => {
      const distance = element.scrollHeight - element.scrollTop - lastHeight
      lastHeight = element.clientHeight
      if (distance < NEAR_END_PX) element.scrollTo(0, element.scrollHeight)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [list])
}

/** Does the same for the page on a phone. */
function useEndOfPageKept(section: RefObject<HTMLElement | null>, isDesktop: boolean) {
  useEffect(() => {
    const element = section.current
    if (isDesktop || !element) return undefined
    let isAtEnd = true
    const noteScroll = () => {
      isAtEnd = element.getBoundingClientRect().bottom < window.innerHeight + NEAR_END_PX
    }
    const observer = new ResizeObserver(() => {
      if (isAtEnd) element.scrollIntoView({ block: 'end' })
    })
    observer.observe(document.body)
    window.addEventListener('scroll', noteScroll, { passive: true })
    return () => {
      observer.disconnect()
      window.removeEventListener('scroll', noteScroll)
    }
  }, [section, isDesktop])
}

/** Not while the page is in the background. */
function useReading(phone: string, texts: readonly ThreadText[] | undefined) {
  const { mutate } = useEndpointMutation(conversationsApi.setRead, {
    refreshes: [conversationsApi.conversations, textingApi.inboxUnread],
  })
  const unread = texts?.find(({ direction, is_read }) => direction === 'in' && !is_read)?.id
  useEffect(() => {
    if (!unread) return undefined
    const read = () => {
      if (document.visibilityState === 'visible')
        mutate({ params: { phone }, body: { is_read: true, up_to: unread } })
    }
    read()
    document.addEventListener('visibilitychange', read)
    return () => document.removeEventListener('visibilitychange', read)
  }, [phone, unread, mutate])
}

const Names = (info: PhoneInfo) => {
  const answering = holdersOf(info.people)
  if (info.people.length === 0) return peopleLabel(info)
  return (
    <>
      {answering && `${answering} (`}
      <StudentLinks students={info.people} as="label" />
      {answering && ')'}
    </>
  )
}

type ThreadHeadProps = { phone: string; name: ReactNode; mayMarkUnread: boolean }

function ThreadHead({ phone, name, mayMarkUnread }: ThreadHeadProps) {
  const layout = useLayout()
  const leave = useLeave()
  const cache = useQueryClient()
  const unread = useEndpointMutation(conversationsApi.setRead, {
    // Refreshing the thread would mark it as read again before the user leaves it.
    refreshes: [conversationsApi.conversations, textingApi.inboxUnread],
    onSuccess: () => {
      leave()
      void cache.invalidateQueries({
        queryKey: [endpointKey(conversationsApi.thread)],
        refetchType: 'none',
      })
    },
  })
  return (
    <header className={`${kit.row} ${styles.head}`}>
      {layout === 'mobile' && (
        <ActionIcon
          variant="subtle"
          size="xl"
          ml="-sm"
          aria-label="All conversations"
          onClick={leave}
        >
          <IconArrowLeft size={24} />
        </ActionIcon>
      )}
      <Title order={layout === 'mobile' ? 1 : 2} size="h3" className={styles.name}>
        {name ?? <span className={kit.muted}>Conversation</span>}
      </Title>
      {mayMarkUnread && (
        <BusyButton
          variant="default"
          size="sm"
          busy={unread.isPending}
          busyLabel="Marking..."
          onClick={() => unread.mutate({ params: { phone }, body: { is_read: false } })}
        >
          Mark unread
        </BusyButton>
      )}
      <ErrorNotice>
        {failureMessage(unread, 'The conversation could not be marked unread. Please try again.')}
      </ErrorNotice>
    </header>
  )
}

/** On a desktop, going back could open, and so read, another conversation. */
function useLeave() {
  const { state } = useLocation()
  const layout = useLayout()
  const navigate = useNavigate()
  return () =>
    void (Object(state).fromList && layout === 'mobile'
      ? navigate(-1)
      : navigate(pathIn(layout, '/messages'), { replace: true }))
}
