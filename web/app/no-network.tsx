import { Button } from '@mantine/core'
import { PlainPage } from './error-pages.tsx'

/** Stands in for the landing page and the login while the server does not answer (public/sw.js). */
export const NoNetwork = () => (
  <PlainPage title="Tatami cannot be reached">
    <p>There is no network here, and signing in needs one.</p>
    <Button onClick={() => location.reload()}>Try again</Button>
  </PlainPage>
)
