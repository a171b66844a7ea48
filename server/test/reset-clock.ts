/** Runs before every test file, because an earlier file may have moved the clock: test files share
 *  the server's modules (vitest.config.ts). */
import { moveClock, now } from '../lib/clock.ts'

moveClock(Date.now() - now().getTime())
