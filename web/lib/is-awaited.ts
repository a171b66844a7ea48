import type { UseQueryResult } from '@tanstack/react-query'

/** Until the first answer or the first failure: a call that goes on failing keeps nobody waiting. */
export const isAwaited = ({ isPending, failureCount }: UseQueryResult) => isPending && failureCount === 0
