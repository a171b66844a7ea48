import { IconDeviceMobile } from '@tabler/icons-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { Content } from './content.tsx'
import classes from './desktop-layout.module.css'
import { rememberLayout } from '../lib/layout.ts'
import { isNative } from '../lib/native.ts'
import { NavBar } from './nav-bar.tsx'
import { SkipLink } from './skip-link.tsx'
import { Footer } from '../ui/footer.tsx'

/** The navigation bar on top, content up to 1280 wide, and outside the native apps the way back to the mobile version. */
export function DesktopLayout() {
  useEffect(() => rememberLayout('desktop'), [])
  return (
    <div className={classes.shell}>
      <SkipLink />
      <NavBar />
      <Content className={classes.main} />
      <div className={classes.foot}>
        <Footer />
      </div>
      {!isNative() && (
        <nav aria-label="Layout">
          <Link to="/" className={classes.mobile} onClick={() => rememberLayout('mobile')}>
            <IconDeviceMobile size={20} aria-hidden />
            <span className={classes.word}>Mobile version</span>
          </Link>
        </nav>
      )}
    </div>
  )
}
