import { ROLES_BY_ACCESS } from '@tatami/contract/endpoint'
import { useLocation } from 'react-router'
import { pageOf } from '../lib/layout.ts'
import { useInboxUnread } from '../texting/use-inbox-unread.ts'
import { SCREENS, screenAt } from './routes.tsx'
import { roleOf, useCurrentUser } from '../lib/current-user.ts'

const INBOX_AT = '/message-center'

/** The entries of the navigation for whoever is signed in, with the one they are on, and how much waits there unread. */
export function useEntries() {
  const user = useCurrentUser()
  const role: string = roleOf(user)
  const unread = useInboxUnread(user.is_instructor)
  const page = pageOf(useLocation().pathname)
  const here = screenAt(page)?.under ?? page
  return SCREENS.flatMap(({ path, title, who, tab, screen }) =>
    tab && (ROLES_BY_ACCESS[tab.who ?? who] as readonly string[]).includes(role)
      ? [
          {
            path,
            title,
            word: tab.word,
            icon: tab.icon,
            isHere: path === here,
            unread: path === INBOX_AT ? unread : 0,
            preload: screen.preload,
          },
        ]
      : [],
  )
}
