/** Runs before every file of the server's tests: they share the server's modules (vitest.config.ts), and some move its clock. */
import { moveClock, now } from '../lib/clock.ts'

moveClock(Date.now() - now().getTime())
