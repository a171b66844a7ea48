import { Paper, Title } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import { Footer } from '../ui/footer.tsx'
import { Mark } from '../ui/mark.tsx'
import classes from './visitor-page.module.css'

/** A page for those who are not signed in: one card, the way home, the footer. */
export function VisitorPage({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Tatami`
  }, [title])
  return (
    <div className={classes.page}>
      <header>
        <a href="/" className={classes.home}>
          <Mark />
          Tatami
        </a>
      </header>
      <main className={classes.main}>
        <Paper className={classes.card}>
          <Title order={1} mb="md">
            {title}
          </Title>
          {children}
        </Paper>
      </main>
      <Footer />
    </div>
  )
}
