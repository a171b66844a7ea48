import type { ReactNode } from 'react'
import { ErrorNotice } from './error-notice.tsx'
import classes from './form-notice.module.css'

/** Why the act failed, above the buttons that stay in reach. */
export const FormNotice = ({ children }: { children: ReactNode }) =>
  children && (
    <div className={classes.notice}>
      <ErrorNotice>{children}</ErrorNotice>
    </div>
  )
