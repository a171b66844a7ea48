import type { OwnBelts } from '@tatami/contract/belts/readiness'
import { addDays } from '@tatami/contract/lib/calendar-day'

type HistoryRow = OwnBelts['styles'][number]['history'][number]

const NEW_BELT_DAYS = 60

export const findNewBelt = (history: readonly HistoryRow[], today: string) =>
  history.find(
    ({ kind, given_on, is_corrected }) =>
      (kind === 'promotion' || kind === 'skip') &&
      !is_corrected &&
      given_on > addDays(today, -NEW_BELT_DAYS),
  )
