import type { Announcement } from '@tatami/contract/messages/announcements'
import type { ReactNode } from 'react'
import { capitalize } from '../lib/text.ts'
import { formatInstantDate } from '../lib/dates.ts'
import { Badge } from '../ui/badge.tsx'
import styles from './announcement-entry.module.css'
import kit from '../ui/kit.module.css'

export const AnnouncementList = ({ children }: { children: ReactNode }) => (
  <ul className={styles.list}>{children}</ul>
)

type Props = { announcement: Announcement; excerpt?: string; children?: ReactNode }

export const AnnouncementEntry = ({
  announcement: { title, category, content, created_at },
  excerpt = content,
  children,
}: Props) => (
  <li>
    <div className={kit.spread}>
      <span className={kit.strong}>{title}</span>
      <Badge tone={category === 'fee' ? 'orange' : 'blue'}>{capitalize(category)}</Badge>
    </div>
    <p className={styles.content}>{excerpt}</p>
    <time dateTime={created_at} className={kit.note}>
      {formatInstantDate(created_at)}
    </time>
    {children}
  </li>
)
