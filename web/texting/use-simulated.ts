import { textingApi } from '@tatami/contract/texting'
import { POLL_MS } from '@tatami/contract/notifications'
import { useQuery } from '@tanstack/react-query'
import { usePages } from '../lib/pages.ts'
import { endpointQuery } from '../lib/query.ts'
import { fateOf } from './fates.ts'
import { WATCH_MS } from './watch.ts'

const ROWS = 100

/** What would have gone out and what was answered; asked every two seconds while something is on its way. */
export function useSimulated() {
  const pages = usePages(textingApi.simulated, {
    limit: ROWS,
    pollMs: (texts) => (texts.some((text) => fateOf(text.state) === 'on_its_way') ? WATCH_MS : POLL_MS),
  })
  const { data: answers = [], isPending } = useQuery(endpointQuery(textingApi.inbox))
  // A phone that grew by its answers a moment later would push the others down.
  return { ...pages, texts: isPending ? undefined : pages.rows, answers }
}
