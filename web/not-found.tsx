import { Button } from '@mantine/core'
import { PlainPage } from './plain-page.tsx'

export const NotFound = () => (
  <PlainPage title="There is no such page">
    <p>The address may be mistyped, or the page may have moved.</p>
    <Button component="a" href="/">
      Go home
    </Button>
  </PlainPage>
)
