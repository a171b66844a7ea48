import { ADMITS } from '@tatami/contract/endpoint'
import { useLocation } from 'react-router'
import { pageOf } from './kernel/page-of.ts'
import { SCREENS, screenAt } from './routes.tsx'
import { roleOf, useUser } from './students/user.ts'

/** The entries of the navigation for whoever is signed in, with the one they are on. */
export function useEntries() {
  const role: string = roleOf(useUser())
  const page = pageOf(useLocation().pathname)
  const here = screenAt(page)?.under ?? page
  return SCREENS.flatMap(({ path, title, who, tab, screen }) =>
    tab && (ADMITS[tab.who ?? who] as readonly string[]).includes(role)
      ? [{ path, title, word: tab.word, icon: tab.icon, isHere: path === here, preload: screen.preload }]
      : [],
  )
}
