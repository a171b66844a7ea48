import { VisuallyHidden } from '@mantine/core'
import classes from './bottom-tabs.module.css'
import { ShellLink } from '../lib/shell.tsx'
import { UnreadMark } from './unread-mark.tsx'
import { useEntries } from './use-entries.ts'

/** A phone's navigation; nothing for whoever has only one place to be. */
export function BottomTabs() {
  const entries = useEntries()
  if (entries.length < 2) return null
  return (
    <nav className={classes.tabs} aria-label="Main">
      {entries.map(({ path, title, word, icon: Icon, isHere, unread, preload }) => (
        <ShellLink
          key={path}
          to={path}
          className={classes.tab}
          aria-current={isHere ? 'page' : undefined}
          onPointerDown={preload}
          onFocus={preload}
        >
          <Icon size={24} stroke={isHere ? 2 : 1.5} aria-hidden />
          {/* The whole name is for screen readers; it begins with the word one sees. */}
          <span>
            {word}
            {title !== word && <VisuallyHidden>, {title}</VisuallyHidden>}
          </span>
          <UnreadMark unread={unread} />
        </ShellLink>
      ))}
    </nav>
  )
}
