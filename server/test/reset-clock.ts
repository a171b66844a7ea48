/** Runs before every test file, because a file before it may have moved the clock: test files share
 *  the server's modules (vitest.config.ts). */
import { moveClock, now } from '../lib/clock.ts'

moveClock(Date.now() - now().getTime())
