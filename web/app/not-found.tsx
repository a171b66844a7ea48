import { Button } from '@mantine/core'
import { PlainPage } from './plain-page.tsx'

export const NotFound = () => (
  <PlainPage title="Page not found">
    <p>The address may be mistyped, or the page may have moved.</p>
    <Button component="a" href="/">
      Go home
    </Button>
  </PlainPage>
)
