import { ShellLink } from '../lib/shell.tsx'
import { LogoutButton } from './logout-button.tsx'
import classes from './nav-bar.module.css'
import { Bell } from '../notifications/bell.tsx'
import { homeOf, useCurrentUser } from '../lib/current-user.ts'
import { Mark } from '../ui/mark.tsx'
import { UnreadMark } from './unread-mark.tsx'
import { useEntries } from './use-entries.ts'
import { UserName } from './user-name.tsx'

/** The desktop's navigation bar (specification, section 2). */
export function NavBar() {
  const user = useCurrentUser()
  return (
    <header className={classes.bar}>
      <div className={classes.inner}>
        <ShellLink to={homeOf(user)} className={classes.home} aria-label="Tatami, home">
          <Mark />
          Tatami
        </ShellLink>
        <nav className={classes.entries} aria-label="Main">
          {useEntries().map(({ path, title, isHere, unread, preload }) => (
            <ShellLink
              key={path}
              to={path}
              className={classes.entry}
              aria-current={isHere ? 'page' : undefined}
              onPointerEnter={preload}
              onFocus={preload}
            >
              {title}
              <UnreadMark unread={unread} />
            </ShellLink>
          ))}
        </nav>
        <Bell accountId={user.id} isInstructor={user.is_instructor} />
        <UserName />
        <LogoutButton size="sm" />
      </div>
    </header>
  )
}
