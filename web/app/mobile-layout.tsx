import { useLocation } from 'react-router'
import { AccountMenu } from './account-menu.tsx'
import { BottomTabs } from './bottom-tabs.tsx'
import { Content } from './content.tsx'
import { pageOf } from '../lib/layout.ts'
import { LayoutOffer } from './layout-offer.tsx'
import classes from './mobile-layout.module.css'
import { Bell } from '../notifications/bell.tsx'
import { screenAt } from './routes.tsx'
import { SkipLink } from './skip-link.tsx'
import { useCurrentUser } from '../lib/current-user.ts'
import { Footer } from '../ui/footer.tsx'

/** One column, with the navigation where a thumb reaches. */
export function MobileLayout() {
  const screen = screenAt(pageOf(useLocation().pathname))
  const user = useCurrentUser()
  return (
    <div className={classes.shell} data-wide={screen?.isWide}>
      <SkipLink />
      <header className={classes.top}>
        <span className={classes.title}>{screen?.title}</span>
        <div className={classes.acts}>
          <Bell accountId={user.id} isInstructor={user.is_instructor} />
          <AccountMenu />
        </div>
      </header>
      <LayoutOffer />
      <Content className={classes.main} />
      <div className={classes.foot}>
        <Footer />
      </div>
      <BottomTabs />
    </div>
  )
}
