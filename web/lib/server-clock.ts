let serverAheadMs = 0

/** A response's Date header is exact to the second. */
export function updateServerClock(dateHeader: string | null) {
  const serverNow = Date.parse(dateHeader ?? '')
  if (!Number.isNaN(serverNow)) serverAheadMs = serverNow - Date.now()
}

export const serverTime = (deviceTime: number) => deviceTime + serverAheadMs
