let serverAheadMs = 0

/** From a response's Date header, which is exact to the second. */
export function updateServerClock(date: string | null) {
  const serverNow = Date.parse(date ?? '')
  if (!Number.isNaN(serverNow)) serverAheadMs = serverNow - Date.now()
}

export const serverTime = (deviceTime: number) => deviceTime + serverAheadMs
