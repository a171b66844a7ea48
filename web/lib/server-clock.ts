/** How far the server's clock is ahead of this device's, as last heard. */
let aheadMs = 0

/** Every answer says what time it is at the server, to the second. */
export function updateServerClock(date: string | null) {
  const heard = Date.parse(date ?? '')
  if (!Number.isNaN(heard)) aheadMs = heard - Date.now()
}

/** What time it was at the server when this device's clock showed `at`. Both in milliseconds. */
export const serverTime = (at: number) => at + aheadMs
