import type { NeededRight } from '@tatami/contract/needed-rights'
import type { ReactNode } from 'react'
import { useCan } from '../lib/current-user.ts'

/** Shows its children only to users with the right. */
export const WithRight = ({ right, children }: { right: NeededRight; children: ReactNode }) =>
  useCan()(right) ? children : null
