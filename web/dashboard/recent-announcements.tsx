import { type Announcement, announcementsApi, truncated } from '@tatami/contract/announcements'
import { useState } from 'react'
import { AnnouncementEntry, AnnouncementList } from '../texting/announcement-entry.tsx'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { LoadAgain } from '../ui/load-again.tsx'
import { Panel } from './panel.tsx'
import styles from './recent-announcements.module.css'

const AnnouncementSheet = lazyComponent(() => import('../texting/announcement-sheet.tsx').then((part) => part.AnnouncementSheet))

/** How many the dashboard shows (specification, section 9). */
const LATEST = 5

export const latestAnnouncements = endpointQuery(announcementsApi.list, { query: { limit: LATEST } })

/** The newest announcements meant for the student; a shortened one opens. What cannot be loaded stays empty (section 8). */
export function RecentAnnouncements() {
  const { data: announcements = [], isUnavailable, retry } = useRetryingQuery(latestAnnouncements)
  const [opened, open] = useState<Announcement | null>(null)
  return (
    <Panel title="Recent Announcements">
      {isUnavailable && <LoadAgain onRetry={retry}>This could not be loaded.</LoadAgain>}
      {announcements.length === 0 && !isUnavailable && (
        <p className={styles.nothing}>Nothing here yet. Your instructor’s announcements appear here.</p>
      )}
      <AnnouncementList>
        {announcements.map((one) => {
          const content = truncated(one.content)
          return (
            <AnnouncementEntry key={one.id} announcement={one} content={content}>
              {content !== one.content && (
                <button
                  type="button"
                  className={styles.more}
                  aria-haspopup="dialog"
                  aria-label={`Read more: ${one.title}`}
                  onClick={() => open(one)}
                  onPointerEnter={AnnouncementSheet.preload}
                  onFocus={AnnouncementSheet.preload}
                >
                  Read more
                </button>
              )}
            </AnnouncementEntry>
          )
        })}
      </AnnouncementList>
      {opened && <AnnouncementSheet announcement={opened} onClose={() => open(null)} />}
    </Panel>
  )
}
