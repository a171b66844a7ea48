import { announcementsApi, truncated } from '@tatami/contract/announcements'
import { showMomentsDay } from '../kernel/dates.ts'
import { endpointQuery } from '../kernel/query.ts'
import { useRecoveringQuery } from '../kernel/use-recovering-query.ts'
import { capitalised } from '../kernel/capitalised.ts'
import { LoadAgain } from '../ui/load-again.tsx'
import { Panel } from './panel.tsx'
import styles from './recent-announcements.module.css'

/** How many the dashboard shows (specification, section 9). */
const LATEST = 5

export const latestAnnouncements = endpointQuery(announcementsApi.list, { query: { limit: LATEST } })

/** The newest announcements meant for the student. What cannot be loaded stays empty (section 8). */
export function RecentAnnouncements() {
  const { data: announcements = [], isMissing, retry } = useRecoveringQuery(latestAnnouncements)
  return (
    <Panel title="Recent Announcements">
      {isMissing && <LoadAgain onRetry={retry}>This could not be loaded.</LoadAgain>}
      {announcements.length === 0 && !isMissing && (
        <p className={styles.nothing}>Nothing here yet. Your instructor’s announcements appear here.</p>
      )}
      <ul className={styles.list}>
        {announcements.map(({ id, title, category, content, created_at }) => (
          <li key={id}>
            <div className={styles.head}>
              <span className={styles.title}>{title}</span>
              <span className={styles.badge} data-fee={category === 'fee'}>
                {capitalised(category)}
              </span>
            </div>
            <p className={styles.content}>{truncated(content)}</p>
            <time dateTime={created_at} className={styles.date}>
              {showMomentsDay(created_at)}
            </time>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
