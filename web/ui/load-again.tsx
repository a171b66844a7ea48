import { Button } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import classes from './load-again.module.css'

/** Stands where something could not be loaded. Quieter than an error: nothing of the reader's was lost, and it loads by itself later. */
export const LoadAgain = ({ onRetry, children }: { onRetry: () => void; children: string }) => (
  <div role="status" className={classes.notice}>
    <IconCloudOff size={20} aria-hidden />
    <p className={classes.words}>{children}</p>
    <Button variant="default" onClick={onRetry}>
      Try again
    </Button>
  </div>
)
