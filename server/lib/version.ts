import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The version of this copy of Tatami, as in its package.json. */
export const VERSION = (JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as { version: string }).version
