import { Title, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useShell } from '../lib/shell.tsx'
import classes from './page-header.module.css'

type Props = {
  title: string
  subtitle?: ReactNode
  /** The screen's acts, at the right on a desktop. */
  children?: ReactNode
  /** Shows the title on a phone as well, where the top bar does not already say it. */
  ownTitle?: boolean
}

/** The head of a screen. On a phone the top bar shows the title, so here it is only read out. */
export function PageHeader({ title, subtitle, children, ownTitle }: Props) {
  const shell = useShell()
  const isHidden = shell === 'mobile' && !ownTitle
  const heading = <Title order={1}>{title}</Title>
  if (isHidden && !subtitle && !children) return <VisuallyHidden>{heading}</VisuallyHidden>
  return (
    <header className={classes.header} data-shell={shell}>
      <div className={classes.words}>
        {isHidden ? <VisuallyHidden>{heading}</VisuallyHidden> : heading}
        {subtitle && <p className={classes.subtitle}>{subtitle}</p>}
      </div>
      {children && <div className={classes.acts}>{children}</div>}
    </header>
  )
}
