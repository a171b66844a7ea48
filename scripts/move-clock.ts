/** Preloaded before the server, whose clock it moves by CLOCK_OFFSET_MS. */
import { moveClock } from '../server/lib/clock.ts'

moveClock(Number(process.env.CLOCK_OFFSET_MS))
