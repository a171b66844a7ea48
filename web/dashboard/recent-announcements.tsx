import {
  type Announcement,
  announcementsApi,
  truncate,
} from '@tatami/contract/messages/announcements'
import { useState } from 'react'
import { LayoutLink } from '../lib/layout-link.tsx'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { PATHS } from '../lib/paths.ts'
import { AnnouncementEntry, AnnouncementList } from '../messages/announcement-entry.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { Panel } from '../ui/panel.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import styles from './student-dashboard.module.css'
import kit from '../ui/kit.module.css'

const AnnouncementSheet = lazyComponent(
  () => import('../messages/announcement-sheet.tsx'),
  'AnnouncementSheet',
)

/** From the specification, section 9. */
const ANNOUNCEMENT_COUNT = 5

export const announcementsQuery = endpointQuery(announcementsApi.list, {
  query: { limit: ANNOUNCEMENT_COUNT },
})

/** If the announcements fail to load, the list stays empty (specification, section 8). */
export function RecentAnnouncements({ hasFullText = false }: { hasFullText?: boolean }) {
  const {
    data: announcements = [],
    isPending,
    isUnavailable,
    retry,
  } = useRetryingQuery(announcementsQuery)
  const [openAnnouncement, setOpenAnnouncement] = useState<Announcement | null>(null)
  return (
    <Panel
      title="Recent Announcements"
      aside={
        hasFullText &&
        announcements.length > 0 && <LayoutLink to={PATHS.messageCenter}>See all</LayoutLink>
      }
    >
      {isUnavailable && <RetryNotice onRetry={retry}>This could not be loaded.</RetryNotice>}
      {isPending && <SkeletonBlock height="6rem" />}
      {announcements.length === 0 && !isPending && !isUnavailable && (
        <p className={kit.muted}>No announcements yet. They’ll appear here.</p>
      )}
      <AnnouncementList>
        {announcements.map((announcement) => {
          const content = hasFullText ? announcement.content : truncate(announcement.content)
          return (
            <AnnouncementEntry key={announcement.id} announcement={announcement} excerpt={content}>
              {content !== announcement.content && (
                <button
                  type="button"
                  className={`${kit.bareButton} ${kit.strong} ${styles.more}`}
                  aria-haspopup="dialog"
                  aria-label={`Read more: ${announcement.title}`}
                  onClick={() => setOpenAnnouncement(announcement)}
                  {...AnnouncementSheet.preloadOnHover}
                >
                  Read more
                </button>
              )}
            </AnnouncementEntry>
          )
        })}
      </AnnouncementList>
      {openAnnouncement && (
        <AnnouncementSheet
          announcement={openAnnouncement}
          onClose={() => setOpenAnnouncement(null)}
        />
      )}
    </Panel>
  )
}
