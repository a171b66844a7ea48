/** How far the server's clock is ahead of this device's, by the last response. */
let aheadMs = 0

/** Takes the server's time from a response's Date header, which is exact to the second. */
export function updateServerClock(date: string | null) {
  const serverNow = Date.parse(date ?? '')
  if (!Number.isNaN(serverNow)) aheadMs = serverNow - Date.now()
}

/** What time it was at the server when this device's clock showed `at`. Both in milliseconds. */
export const serverTime = (deviceTime: number) => deviceTime + aheadMs
