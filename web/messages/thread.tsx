import { Box, ActionIcon, Title } from '@mantine/core'
import { conversationsApi, type ThreadText } from '@tatami/contract/texting/conversations'
import { POLL_MS } from '@tatami/contract/notifications/notifications'
import { decisiveConsent, type PhoneInfo } from '@tatami/contract/texting/phones'
import { textingApi } from '@tatami/contract/texting/texting'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconArrowLeft } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useCan, useCurrentUser } from '../lib/current-user.ts'
import { errorMessage, failureMessage } from '../lib/api.ts'
import { pathIn } from '../lib/layout.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { endpointQuery, endpointKey, useEndpointMutation } from '../lib/query.ts'
import { usePagedQuery } from '../lib/use-paged-query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { BottomActions } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { StudentLinks } from '../ui/student-link.tsx'
import { Bubbles } from './bubble.tsx'
import { PhoneDetails } from './phone-details.tsx'
import { joinHolderNames, labelPhone } from './people.ts'
import { ReplyBox } from './reply-box.tsx'
import { ThreadBubble } from './thread-bubble.tsx'
import { ACTIVE_POLL_MS, awaitsReport } from '../texting/text-status.ts'
import styles from './thread.module.css'
import kit from '../ui/kit.module.css'

/** Loaded separately, because few people ask to stop texts. */
const StopRequest = lazyComponent(() => import('./stop-request.tsx'), 'StopRequest')

const TEXTS_PER_PAGE = 50
/** If a list is scrolled this close to its end, it stays at the end when it grows. */
const NEAR_END_PX = 40

const useThread = (phone: string) =>
  usePagedQuery(conversationsApi.thread, {
    limit: TEXTS_PER_PAGE,
    params: { phone },
    pollMs: (texts) => (texts.some((text) => awaitsReport(text)) ? ACTIVE_POLL_MS : POLL_MS),
  })

export function Thread({ phone }: { phone: string }) {
  const can = useCan()
  const isDesktop = useLayout() === 'desktop'
  const phoneInfo = useQuery(endpointQuery(conversationsApi.phone, { params: { phone } }))
  const thread = useThread(phone)
  const texts = thread.rows
  const { sectionRef, listRef } = useScrollToNewest(
    isDesktop,
    texts?.[0]?.id,
    phoneInfo.data !== undefined,
  )
  useMarkAsRead(phone, texts)
  const replyArea = can('texts.send') && phoneInfo.data && (
    <div className={kit.stackSmall}>
      <StopRequest key={phone} phone={phone} isOpen={phoneInfo.data.stop_asked_at !== null} />
      <ReplyBox
        phone={phone}
        blockedNotice={findBlockedNotice(phoneInfo.data)}
        newestTextId={texts?.[0]?.id}
      />
    </div>
  )
  const name = phoneInfo.data ? labelPhone(phoneInfo.data) : ''
  return (
    <section
      ref={sectionRef}
      className={`${kit.stackSmall} ${styles.thread}`}
      aria-label={name ? `Conversation with ${name}` : 'Conversation'}
      data-layout={isDesktop ? 'desktop' : 'mobile'}
    >
      <ThreadHead
        phone={phone}
        name={phoneInfo.data && <PersonNames {...phoneInfo.data} />}
        canMarkUnread={texts?.some(({ direction }) => direction === 'in') ?? false}
      />
      {phoneInfo.data && <PhoneDetails phoneInfo={phoneInfo.data} />}
      {phoneInfo.isError && !phoneInfo.isFetching && (
        <ErrorNotice onRetry={() => void phoneInfo.refetch()}>
          {errorMessage(phoneInfo.error, 'The conversation could not be loaded.')}
        </ErrorNotice>
      )}
      <div
        className={`${kit.stackSmall} ${styles.texts}`}
        ref={listRef}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Scrolls on a desktop.
        tabIndex={isDesktop ? 0 : undefined}
      >
        <ThreadTexts thread={thread} hasInfoFailed={phoneInfo.isError} />
      </div>
      {isDesktop ? replyArea : replyArea && <BottomActions>{replyArea}</BottomActions>}
    </section>
  )
}

type TextsProps = { thread: ReturnType<typeof useThread>; hasInfoFailed: boolean }

const ThreadTexts = ({ thread, hasInfoFailed }: TextsProps) => (
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
    {thread.isError && !thread.isFetching && !hasInfoFailed && (
      <ErrorNotice onRetry={() => void thread.refetch()}>
        The texts could not be loaded.
      </ErrorNotice>
    )}
  </>
)

function findBlockedNotice({ opted_out_at, consents }: PhoneInfo): string | null {
  if (opted_out_at !== null)
    return 'This phone replied STOP, so it gets no texts. You can still call.'
  return decisiveConsent(consents)?.event === 'revoked'
    ? 'This phone’s owner no longer agrees to texts, so it gets none. You can still call.'
    : null
}

function useScrollToNewest(
  isDesktop: boolean,
  newestTextId: string | undefined,
  hasReplyArea: boolean,
) {
  const sectionRef = useRef<HTMLElement>(null)
  const listRef = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!newestTextId || !hasReplyArea) return
    if (isDesktop) listRef.current?.scrollTo(0, listRef.current.scrollHeight)
    else sectionRef.current?.scrollIntoView({ block: 'end' })
  }, [isDesktop, newestTextId, hasReplyArea])
  useKeepListAtEnd(listRef)
  useKeepPageAtEnd(sectionRef, isDesktop)
  return { sectionRef, listRef }
}

/** Keeps the newest text visible when the reply box grows, unless the user has scrolled up. */
function useKeepListAtEnd(listRef: RefObject<HTMLDivElement | null>) {
  useEffect(() => {
    const element = listRef.current
    if (!element) return undefined
    let lastHeight = element.clientHeight
    const observer = new ResizeObserver(() => {
      const distanceFromEnd = element.scrollHeight - element.scrollTop - lastHeight
      lastHeight = element.clientHeight
      if (distanceFromEnd < NEAR_END_PX) element.scrollTo(0, element.scrollHeight)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [listRef])
}

/** Keeps the newest text visible on mobile, where the page scrolls instead of the list. */
function useKeepPageAtEnd(sectionRef: RefObject<HTMLElement | null>, isDesktop: boolean) {
  useEffect(() => {
    const element = sectionRef.current
    if (isDesktop || !element) return undefined
    let isAtEnd = true
    const updateIsAtEnd = () => {
      isAtEnd = element.getBoundingClientRect().bottom < window.innerHeight + NEAR_END_PX
    }
    const observer = new ResizeObserver(() => {
      if (isAtEnd) element.scrollIntoView({ block: 'end' })
    })
    observer.observe(document.body)
    window.addEventListener('scroll', updateIsAtEnd, { passive: true })
    return () => {
      observer.disconnect()
      window.removeEventListener('scroll', updateIsAtEnd)
    }
  }, [sectionRef, isDesktop])
}

function useMarkAsRead(phone: string, texts: readonly ThreadText[] | undefined) {
  const { mutate } = useEndpointMutation(conversationsApi.setRead, {
    refreshes: [conversationsApi.conversations, textingApi.inboxUnread],
  })
  const newestUnreadId = texts?.find(({ direction, is_read }) => direction === 'in' && !is_read)?.id
  const isPreview = useCurrentUser().staff?.seen_as != null
  useEffect(() => {
    if (!newestUnreadId || isPreview) return undefined
    const markVisibleAsRead = () => {
      if (document.visibilityState === 'visible')
        mutate({ params: { phone }, body: { is_read: true, up_to: newestUnreadId } })
    }
    markVisibleAsRead()
    document.addEventListener('visibilitychange', markVisibleAsRead)
    return () => document.removeEventListener('visibilitychange', markVisibleAsRead)
  }, [phone, newestUnreadId, mutate, isPreview])
}

const PersonNames = (phoneInfo: PhoneInfo) => {
  const holders = joinHolderNames(phoneInfo.people)
  if (phoneInfo.people.length === 0) return labelPhone(phoneInfo)
  return (
    <>
      {holders && `${holders} (`}
      <StudentLinks students={phoneInfo.people} as="label" />
      {holders && ')'}
    </>
  )
}

type ThreadHeadProps = { phone: string; name: ReactNode; canMarkUnread: boolean }

function ThreadHead({ phone, name, canMarkUnread }: ThreadHeadProps) {
  const layout = useLayout()
  const backToConversations = useBackToConversations()
  const cache = useQueryClient()
  const markUnread = useEndpointMutation(conversationsApi.setRead, {
    // Refreshing the thread would mark it as read again before the user leaves it.
    refreshes: [conversationsApi.conversations, textingApi.inboxUnread],
    onSuccess: () => {
      backToConversations()
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
          onClick={backToConversations}
        >
          <IconArrowLeft size={24} />
        </ActionIcon>
      )}
      <Title order={layout === 'mobile' ? 1 : 2} size="h3" className={styles.name}>
        {name ?? <span className={kit.muted}>Conversation</span>}
      </Title>
      {canMarkUnread && (
        <BusyButton
          variant="default"
          size="sm"
          busy={markUnread.isPending}
          busyLabel="Marking..."
          onClick={() => markUnread.mutate({ params: { phone }, body: { is_read: false } })}
        >
          Mark unread
        </BusyButton>
      )}
      <ErrorNotice>
        {failureMessage(
          markUnread,
          'The conversation could not be marked unread. Please try again.',
        )}
      </ErrorNotice>
    </header>
  )
}

/** On a desktop, `navigate(-1)` could open another conversation and mark it as read. */
function useBackToConversations() {
  const { state } = useLocation()
  const layout = useLayout()
  const navigate = useNavigate()
  return () => {
    if (Object(state).fromList && layout === 'mobile') void navigate(-1)
    else void navigate(pathIn(layout, '/messages'), { replace: true })
  }
}
