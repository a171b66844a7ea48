import { Button, type ButtonProps } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'

export const PrintButton = (buttonProps: Pick<ButtonProps, 'variant'>) => (
  <Button
    {...buttonProps}
    leftSection={<IconPrinter size={20} aria-hidden />}
    onClick={() => window.print()}
  >
    Print
  </Button>
)
