import { Paper, Title } from '@mantine/core'
import { useEffect } from 'react'
import { Footer } from '../ui/footer.tsx'
import { Mark } from '../ui/mark.tsx'
import { LoginForm } from './login-form.tsx'
import classes from './login-page.module.css'

export function LoginPage() {
  useEffect(() => { document.title = 'Login · Tatami' }, [])
  return (
    <div className={classes.page}>
      <header><a href="/" className={classes.home}><Mark />Tatami</a></header>
      <main className={classes.main}>
        <Paper className={classes.card}>
          <Title order={1} mb="md">Login</Title>
          <LoginForm />
        </Paper>
      </main>
      <Footer />
    </div>
  )
}
