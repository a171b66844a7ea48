import './tokens.css'
import './mantine.css'
import './print.css'
import './forced-colors.css'
import './loading.css'
import './footer.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from '../lib/query.ts'
import { cssVariables, theme } from './theme.ts'

/** What every screen stands in: the theme, in the system's colour scheme, and the answers of the server. */
export const Providers = ({ children }: { children: ReactNode }) => (
  <MantineProvider theme={theme} cssVariablesResolver={cssVariables} deduplicateCssVariables={false} defaultColorScheme="auto">
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  </MantineProvider>
)
