/** Sets a server's clock ahead (`NODE_OPTIONS=--import …`), so that reminders are due. */
import { moveClock } from '../../server/lib/clock.ts'

moveClock(Number(process.env.CLOCK_AHEAD_MS ?? 0))
